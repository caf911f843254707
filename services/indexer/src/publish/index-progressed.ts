import { createMessage, type Message, type MessageSource } from '@lending/events';
import type { Slot } from '@solana/kit';

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

const TASK = 'accounts';

/** The message of how far the pass has come. */
export function toAccountsProgressed(
  progress: AccountsProgress,
  source: MessageSource,
): Message<'index.progressed.v1'> {
  const { slot, unixTimestamp, done, total, isComplete } = progress;
  return createMessage({
    topic: 'index.progressed.v1',
    key: TASK,
    slot,
    unixTimestamp,
    source,
    part: isComplete ? 'complete' : `${done}`,
    payload: {
      task: TASK,
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
