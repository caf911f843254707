import type { Slot } from '@solana/kit';
import type { ProgramEvent, ProgramTarget } from '../program-source.ts';
import type { TransactionRecord } from '../transaction-record.ts';
import { findClosedAccounts } from './closed-accounts.ts';
import { bankOf, CONFIRMED, FINALIZED, type GeyserTransaction, type GeyserUpdate } from './geyser-client.ts';
import { toAddress, toRecord, toSignature } from './to-record.ts';
import type { ToldSlots } from './told-slots.ts';

/** Turns a stream's updates into events. */
export interface SlotTeller {
  take(update: GeyserUpdate): void;
}

export interface SlotTellerOptions {
  readonly target: ProgramTarget;
  /** What was told, by earlier streams too. */
  readonly told: ToldSlots;
  /** Whether the server was asked to tell again: then what was told before is left out. */
  readonly isResumed: boolean;
  readonly tell: (event: ProgramEvent) => void;
}

/** For so many slots, what comes late is reported at once. */
const KEPT_SLOTS = 64;

type Happened = { readonly transaction: GeyserTransaction } | { readonly account: ProgramEvent & { kind: 'account' } };
type Waiting = Happened & { readonly bank: bigint | null };

/**
 * A server reports a slot when it is confirmed: what happened in it, in order, then its block meta, then that it is confirmed. So what
 * happened waits for the block meta, which has the time of its transactions. Where none comes, the status lets it go without a time;
 * what comes later still is reported at once.
 *
 * Of a slot that had several banks only the confirmed one is reported: what the others wrote never happened, and write versions do not
 * order one bank's writes against another's. Where updates name their bank, the status that names the confirmed one is waited for; where
 * it names none, that is the bank of the block meta, else the newest, because it replaced the others.
 */
export function createSlotTeller({ target, told, isResumed, tell }: SlotTellerOptions): SlotTeller {
  const waiting = new Map<Slot, Waiting[]>();
  const before: ReadonlySet<Slot> = isResumed ? told.list() : new Set();
  /** With the bank that was confirmed; null where it is not known. */
  const toldHere = new Map<Slot, bigint | null>();
  let newestBlock:
    | { readonly slot: Slot; readonly bank: bigint | null; readonly unixTimestamp: bigint | null }
    | undefined;

  function hold(slot: Slot, one: Waiting): void {
    if (before.has(slot)) return;
    const held = waiting.get(slot);
    if (held === undefined) waiting.set(slot, [one]);
    else held.push(one);
    const bank = toldHere.get(slot);
    if (bank !== undefined) release(slot, bank);
  }

  /** @returns the bank that was reported; null where no update names one. */
  function release(slot: Slot, confirmed: bigint | null): bigint | null {
    const all = waiting.get(slot) ?? [];
    waiting.delete(slot);
    const block = newestBlock?.slot === slot ? newestBlock : undefined;
    const bank = confirmed ?? block?.bank ?? newestBank(all);
    const isOfBank = (one: { readonly bank: bigint | null }) => one.bank === null || bank === null || one.bank === bank;
    const held = all.filter(isOfBank);
    const unixTimestamp = block !== undefined && isOfBank(block) ? block.unixTimestamp : null;
    const records: TransactionRecord[] = [];
    for (const one of held) {
      if ('account' in one) {
        tell(one.account);
        continue;
      }
      const record = toRecord(one.transaction, slot, unixTimestamp);
      if (record !== null) records.push(record);
      if (target.transactions) tell(toTransactionEvent(one.transaction, slot, record));
    }
    if (target.accounts.length === 0) return bank;
    for (const address of findClosedAccounts(target.program, records)) {
      const update = { address, slot, owner: target.program, lamports: 0n, data: new Uint8Array() };
      tell({ kind: 'account', update, writeVersion: null });
    }
    return bank;
  }

  function takeStatus(slot: Slot, status: number, bank: bigint | null): void {
    // Before a stream stands it may end without a trace, and then nobody was told what this root is past.
    if (status === FINALIZED && toldHere.size > 0) told.finalize(slot);
    if (status !== CONFIRMED) return;
    for (const held of [...waiting.keys()].sort(ascending)) if (held < slot) release(held, null);
    toldHere.set(slot, release(slot, bank));
    for (const old of toldHere.keys()) if (toldHere.size > KEPT_SLOTS) toldHere.delete(old);
    const { newest, root } = told;
    told.add(slot);
    if (newest !== undefined && slot <= newest) return;
    if (root !== undefined) tell({ kind: 'slot', slot, root: root < slot ? root : slot });
  }

  return {
    take({ account, transaction, blockMeta, slot }) {
      if (account?.account !== undefined) {
        const { pubkey, owner, lamports, data, writeVersion } = account.account;
        const at = BigInt(account.slot);
        const update = {
          address: toAddress(pubkey),
          slot: at,
          owner: toAddress(owner),
          lamports: BigInt(lamports),
          // The decoder's bytes are a view of the whole message.
          data: new Uint8Array(data),
        };
        hold(at, { bank: bankOf(account), account: { kind: 'account', update, writeVersion: BigInt(writeVersion) } });
      } else if (transaction?.transaction !== undefined) {
        hold(BigInt(transaction.slot), { bank: bankOf(transaction), transaction: transaction.transaction });
      } else if (blockMeta !== undefined) {
        const time = blockMeta.blockTime?.timestamp;
        const bank = bankOf(blockMeta);
        newestBlock = { slot: BigInt(blockMeta.slot), bank, unixTimestamp: time === undefined ? null : BigInt(time) };
        if (bank === null) release(newestBlock.slot, null);
      } else if (slot !== undefined) {
        takeStatus(BigInt(slot.slot), slot.status, bankOf(slot));
      }
    },
  };
}

function toTransactionEvent(
  transaction: GeyserTransaction,
  slot: Slot,
  record: TransactionRecord | null,
): ProgramEvent & { kind: 'transaction' } {
  const { meta } = transaction;
  return {
    kind: 'transaction',
    signature: record?.signature ?? toSignature(transaction.signature),
    slot,
    isFailed: meta?.err !== undefined,
    record,
    logs: record === null && meta !== undefined && !meta.logMessagesNone ? meta.logMessages : null,
  };
}

function newestBank(waiting: readonly Waiting[]): bigint | null {
  return waiting.reduce<bigint | null>(
    (newest, { bank }) => (bank !== null && bank > (newest ?? 0n) ? bank : newest),
    null,
  );
}

function ascending(one: Slot, other: Slot): number {
  return one < other ? -1 : Number(one > other);
}
