import { didRun, type TransactionRecord } from '@lending/chain';
import type { Message, MessageSource } from '@lending/events';
import type { Metrics } from '@lending/runtime';
import type { Address } from '@solana/kit';
import { type ActivityScope, describeTransaction, type TransactionDescription } from '#decode/describe-transaction.ts';
import { toActivityRecorded } from '#publish/activity-recorded.ts';
import { toGroupChanged } from '#publish/group-changed.ts';
import type { BlockTimes } from './block-times.ts';
import type { RejectTransaction } from './reject-transaction.ts';
import type { UnfinalSlots } from './unfinal-slots.ts';

/** What is to be published of a transaction. */
export interface RecordedActivity {
  readonly messages: readonly Message<'activity.recorded.v1' | 'group.changed.v1'>[];
  /** Lending accounts it touched, wanted or not. */
  readonly accounts: readonly Address[];
  /** All of it, so that the transaction need not be read again. */
  readonly isWhole: boolean;
}

export interface ReadingContext {
  /** Whether the transaction is known to be final. */
  readonly isFinal: boolean;
  /** Whose past is read: what concerns it is wanted, whoever follows. Null: nobody's in particular. */
  readonly address: Address | null;
}

export interface ActivityRecorderOptions {
  readonly scope: ActivityScope;
  readonly times: BlockTimes;
  readonly unfinal: Pick<UnfinalSlots, 'note'>;
  readonly source: MessageSource;
  readonly reject: RejectTransaction;
  readonly metrics: Metrics;
}

/**
 * Turns a transaction into messages, whether it was told or read from the past. Null when nobody knows yet when its block was made:
 * ask again. One that cannot be decoded is counted and said, and has none: it must not hold up what comes after it.
 */
export type ActivityRecorder = (record: TransactionRecord, context: ReadingContext) => Promise<RecordedActivity | null>;

export function createActivityRecorder(options: ActivityRecorderOptions): ActivityRecorder {
  const { scope, times, unfinal, source, reject, metrics } = options;
  const unread = metrics.counter({
    name: 'activity.instruction.skip',
    help: 'Instructions and events of the program that this build does not know',
  });

  function describe(record: TransactionRecord, address: Address | null): TransactionDescription {
    try {
      // It was listed as one that succeeded: the node answered with another block that names it, in which it did not run.
      if (!didRun(record)) throw new Error(`It did not run in slot ${record.slot}`);
      return describeTransaction(record, scope, address);
    } catch (error) {
      reject(record.signature, error);
      return { activities: [], changes: [], tipLamports: 0n, accounts: [], isWhole: true, unknown: 0 };
    }
  }

  return async (record, { isFinal, address }) => {
    const description = describe(record, address);
    const { activities, changes, accounts, isWhole } = description;
    const hasActivity = activities.length + changes.length > 0;
    const unixTimestamp = record.unixTimestamp ?? (hasActivity ? await times.of(record.slot) : 0n);
    if (unixTimestamp === null) return null;
    unread.inc(description.unknown);
    if (!isFinal) unfinal.note(record.slot, hasActivity);
    const { signature, slot, feeLamports } = record;
    const finality = isFinal ? 'finalized' : 'confirmed';
    const origin = { signature, slot, unixTimestamp, feeLamports, finality } as const;
    const messages = [
      ...activities.map((activity) => toActivityRecorded(activity, origin, description, source)),
      ...changes.map((change) => toGroupChanged(change, origin, source)),
    ];
    return { messages, accounts, isWhole };
  };
}
