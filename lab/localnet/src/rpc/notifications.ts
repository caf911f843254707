import { SYSTEM_PROGRAM } from '@lending/programs';
import type { Address } from '@solana/kit';
import type { AccountState } from '#engine/engine.ts';
import type { LedgerEvent } from '#ledger/ledger-event.ts';
import { didRun } from '#ledger/transaction-record.ts';
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
  if (event.kind === 'slot') {
    return subscription.kind === 'slot' ? [{ parent: event.parent, root: event.root, slot: event.slot }] : [];
  }
  if (subscription.kind === 'slot' || event.commitment !== subscription.commitment) return [];
  switch (subscription.kind) {
    case 'account':
      return accountNotifications(ledger, subscription, event);
    case 'program':
      return programNotifications(ledger, subscription, event);
    case 'logs':
      return logsNotifications(subscription, event);
    default:
      return subscription satisfies never;
  }
}

function accountNotifications(
  ledger: NodeLedger,
  { address, config }: Extract<Subscription, { kind: 'account' }>,
  { slot, commitment, addresses }: Changes,
): readonly unknown[] {
  if (!addresses.includes(address)) return [];
  return [withContext(slot, encodeAccount(ledger.account(address, commitment) ?? CLOSED, config))];
}

function programNotifications(
  ledger: NodeLedger,
  { program, config, matches }: Extract<Subscription, { kind: 'program' }>,
  { slot, commitment, addresses }: Changes,
): readonly unknown[] {
  return addresses.flatMap((address) => {
    const state = ledger.account(address, commitment) ?? closedAccountOf(ledger, program, address, slot, matches);
    if (state === undefined || state.owner !== program || !(state.lamports === 0n || matches(state))) return [];
    return [withContext(slot, encodeKeyedAccount(address, state, config))];
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
      .filter(({ result }) => didRun(result) && result.accountKeys.includes(mentions))
      .map(({ signature, result }) => withContext(slot, { signature, err: result.error, logs: result.logs }))
  );
}
