import type { Slot } from '@solana/kit';
import type { ProgramEvent, ProgramTarget } from '../program-source.ts';
import type { TransactionRecord } from '../transaction-record.ts';
import { findClosedAccounts } from './closed-accounts.ts';
import { CONFIRMED, FINALIZED, type GeyserTransaction, type GeyserUpdate } from './geyser-client.ts';
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

/** For so many slots, what comes late is told at once. */
const KEPT_SLOTS = 64;

type Waiting = { readonly transaction: GeyserTransaction } | { readonly account: ProgramEvent & { kind: 'account' } };

/**
 * A server tells a slot when it is confirmed: what happened in it, in order, then its block meta, then that it is confirmed. So what
 * happened waits for the block meta, which has the time of its transactions. Where none comes, the status lets it go without a time;
 * what comes later still is told at once.
 */
export function createSlotTeller({ target, told, isResumed, tell }: SlotTellerOptions): SlotTeller {
  const waiting = new Map<Slot, Waiting[]>();
  const before: ReadonlySet<Slot> = isResumed ? told.list() : new Set();
  const toldHere = new Set<Slot>();
  let newestBlock: { readonly slot: Slot; readonly unixTimestamp: bigint | null } | undefined;

  function hold(slot: Slot, one: Waiting): void {
    if (before.has(slot)) return;
    const held = waiting.get(slot);
    if (held === undefined) waiting.set(slot, [one]);
    else held.push(one);
    if (toldHere.has(slot)) release(slot);
  }

  function release(slot: Slot): void {
    const held = waiting.get(slot) ?? [];
    waiting.delete(slot);
    const unixTimestamp = newestBlock?.slot === slot ? newestBlock.unixTimestamp : null;
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
    if (target.accounts.length === 0) return;
    for (const address of findClosedAccounts(target.program, records)) {
      const update = { address, slot, owner: target.program, lamports: 0n, data: new Uint8Array() };
      tell({ kind: 'account', update, writeVersion: null });
    }
  }

  function takeStatus(slot: Slot, status: number): void {
    // Before a stream stands it may end without a trace, and then nobody was told what this root is past.
    if (status === FINALIZED && toldHere.size > 0) told.finalize(slot);
    if (status !== CONFIRMED) return;
    for (const held of [...waiting.keys()].sort(ascending)) if (held <= slot) release(held);
    toldHere.add(slot);
    for (const old of toldHere) if (toldHere.size > KEPT_SLOTS) toldHere.delete(old);
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
        hold(at, { account: { kind: 'account', update, writeVersion: BigInt(writeVersion) } });
      } else if (transaction?.transaction !== undefined) {
        hold(BigInt(transaction.slot), { transaction: transaction.transaction });
      } else if (blockMeta !== undefined) {
        const time = blockMeta.blockTime?.timestamp;
        newestBlock = { slot: BigInt(blockMeta.slot), unixTimestamp: time === undefined ? null : BigInt(time) };
        release(newestBlock.slot);
      } else if (slot !== undefined) {
        takeStatus(BigInt(slot.slot), slot.status);
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

function ascending(one: Slot, other: Slot): number {
  return one < other ? -1 : Number(one > other);
}
