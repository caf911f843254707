import { createMessage, type Message, type MessageSource } from '@lending/events';
import type { Address, Slot } from '@solana/kit';

/** How far one pass over all lending accounts has come. */
export interface AccountsProgress {
  /** Slot of the listing, or of the chain where there was none yet. */
  readonly slot: Slot;
  readonly unixTimestamp: bigint;
  readonly done: number;
  /** Null while they are not counted yet. */
  readonly total: number | null;
  readonly isComplete: boolean;
}

const ACCOUNTS_TASK = 'accounts';

/** The message of how far the pass has come. */
export function toAccountsProgressed(
  progress: AccountsProgress,
  source: MessageSource,
): Message<'index.progressed.v1'> {
  const { slot, unixTimestamp, done, total, isComplete } = progress;
  return createMessage({
    topic: 'index.progressed.v1',
    key: ACCOUNTS_TASK,
    slot,
    unixTimestamp,
    source,
    part: isComplete ? 'complete' : `${done}`,
    payload: {
      task: ACCOUNTS_TASK,
      kind: 'accounts',
      address: null,
      fromSlot: slot.toString(),
      untilSlot: '0',
      cursor: null,
      done,
      total,
      isComplete,
    },
  });
}

/** How far one segment of the past has been read. */
export interface SegmentProgress {
  readonly task: string;
  readonly address: Address;
  readonly fromSlot: Slot;
  readonly untilSlot: Slot;
  readonly cursor: { readonly signature: string; readonly slot: Slot } | null;
  /** Transactions read. */
  readonly done: number;
  readonly isComplete: boolean;
}

/** The message of how far a segment has been read, as of a slot. How much is left is not known before it is read. */
export function toActivityProgressed(
  progress: SegmentProgress,
  { slot, unixTimestamp }: { readonly slot: Slot; readonly unixTimestamp: bigint },
  source: MessageSource,
): Message<'index.progressed.v1'> {
  const { task, address, fromSlot, untilSlot, cursor, done, isComplete } = progress;
  return createMessage({
    topic: 'index.progressed.v1',
    key: task,
    slot,
    unixTimestamp,
    source,
    part: isComplete ? 'complete' : `${done}:${untilSlot}`,
    payload: {
      task,
      kind: 'activity',
      address,
      fromSlot: fromSlot.toString(),
      untilSlot: untilSlot.toString(),
      cursor: cursor && { signature: cursor.signature, slot: cursor.slot.toString() },
      done,
      total: null,
      isComplete,
    },
  });
}
