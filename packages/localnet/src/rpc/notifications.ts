import { SYSTEM_PROGRAM } from '@lending/programs';
import type { Address, Commitment } from '@solana/kit';
import type { AccountState } from '#engine/engine.ts';
import type { LedgerEvent } from '#ledger/ledger-event.ts';
import { didRun, type TransactionRecord } from '#ledger/transaction-record.ts';
import { encodeAccount, encodeKeyedAccount } from './encode-account.ts';
import type { NodeLedger } from './node-ledger.ts';
import { withContext } from './rpc-method.ts';
import type { Subscription } from './subscription.ts';

type Changes = Extract<LedgerEvent, { readonly kind: 'changes' }>;

/** The results that one event means for one subscription, in order. */
export function notificationsFor(
  ledger: NodeLedger,
  subscription: Subscription,
  event: LedgerEvent,
): readonly unknown[] {
  if (event.kind === 'slot') return slotNotifications(subscription, event);
  switch (subscription.kind) {
    case 'slot':
    case 'root':
      return [];
    case 'account':
      return event.commitment === subscription.commitment ? accountNotifications(ledger, subscription, event) : [];
    case 'program':
      return event.commitment === subscription.commitment ? programNotifications(ledger, subscription, event) : [];
    case 'logs':
      return event.commitment === subscription.commitment ? logsNotifications(subscription, event) : [];
    case 'signature':
      return signatureNotifications(subscription, event);
    default:
      return subscription satisfies never;
  }
}

/** The final word on a signature that already reached its commitment when it was subscribed to. */
export function settledSignature(
  ledger: NodeLedger,
  subscription: Extract<Subscription, { readonly kind: 'signature' }>,
): unknown {
  const record = ledger.transaction(subscription.signature);
  const slot = ledger.slot(subscription.commitment);
  if (record === undefined || record.slot > slot) return undefined;
  return withContext(record.slot, { err: record.result.error });
}

function slotNotifications(
  subscription: Subscription,
  event: Extract<LedgerEvent, { kind: 'slot' }>,
): readonly unknown[] {
  if (subscription.kind === 'slot') return [{ parent: event.parent, root: event.root, slot: event.slot }];
  return subscription.kind === 'root' ? [event.root] : [];
}

function accountNotifications(
  ledger: NodeLedger,
  { address, config }: Extract<Subscription, { kind: 'account' }>,
  { slot, commitment, addresses }: Changes,
): readonly unknown[] {
  if (!addresses.includes(address)) return [];
  const accounts = ledger.accountsAt(commitment);
  return [withContext(slot, encodeAccount(accounts.get(address) ?? CLOSED, config, accounts))];
}

function programNotifications(
  ledger: NodeLedger,
  { program, config, matches }: Extract<Subscription, { kind: 'program' }>,
  { slot, commitment, addresses }: Changes,
): readonly unknown[] {
  const accounts = ledger.accountsAt(commitment);
  return addresses.flatMap((address) => {
    const state = accounts.get(address) ?? closedAccountOf(ledger, program, address, slot, matches);
    if (state === undefined || state.owner !== program || !(state.lamports === 0n || matches(state))) return [];
    return [withContext(slot, encodeKeyedAccount(address, state, config, accounts))];
  });
}

const CLOSED: AccountState = {
  lamports: 0n,
  owner: SYSTEM_PROGRAM,
  data: new Uint8Array(),
  executable: false,
};

/** Closed accounts arrive as zero lamports where their last state would have matched. */
function closedAccountOf(
  ledger: NodeLedger,
  program: Address,
  address: Address,
  slot: bigint,
  matches: (state: AccountState) => boolean,
): AccountState | undefined {
  const before = ledger.accountBefore(address, slot);
  if (before === undefined || before.owner !== program || !matches(before)) return undefined;
  return { ...CLOSED, owner: program };
}

function logsNotifications(
  { mentions }: Extract<Subscription, { kind: 'logs' }>,
  { slot, transactions }: Changes,
): readonly unknown[] {
  return (
    transactions
      // A transaction that did not run has no logs, and subscribers get none.
      .filter(({ result }) => didRun(result) && (mentions === null || result.accountKeys.includes(mentions)))
      .map(({ signature, result }) => withContext(slot, { signature, err: result.error, logs: result.logs }))
  );
}

function signatureNotifications(
  subscription: Extract<Subscription, { kind: 'signature' }>,
  { slot, commitment, transactions }: Changes,
): readonly unknown[] {
  const record = transactions.find(({ signature }) => signature === subscription.signature);
  if (record === undefined) return [];
  const isReceived = subscription.wantsReceived && commitment === 'processed';
  const received = isReceived ? [withContext(slot, 'receivedSignature')] : [];
  return isReached(subscription, commitment) ? [...received, withContext(slot, errorOf(record))] : received;
}

function isReached(subscription: { readonly commitment: Commitment }, commitment: Commitment): boolean {
  return subscription.commitment === commitment;
}

function errorOf({ result }: TransactionRecord): { readonly err: unknown } {
  return { err: result.error };
}
