import type { ChainProgressRow, IndexProgressRow } from '@lending/store';
import type { AsOf } from '#records/reply-fields.ts';
import { describeAsOf } from './as-of.ts';
import type { ReadStore } from './read-store.ts';

/** How far reading one part of the past has come. */
interface TaskStatus {
  readonly task: string;
  readonly kind: 'accounts' | 'activity';
  readonly address: string | null;
  readonly done: number;
  readonly total: number | null;
  /** How many a second since it was last asked for; null the first time. */
  readonly rate_per_second: number | null;
  /** The slot that reading has come down to; null before the first page. */
  readonly at_slot: number | null;
  readonly until_slot: number;
  readonly updated_at: string;
}

/** How the accounts' side of the pipeline stands. */
export interface IndexerStatus {
  /** Everything up to here is in the tables or on its way; null before the indexer said so. */
  readonly tip: AsOf | null;
  readonly root_slot: number | null;
  /** Slots between the tip and what can no longer be dropped. */
  readonly unfinal_slots: number | null;
  /** Whether all accounts there are were read, and not only those that somebody asked for. */
  readonly accounts_complete: boolean;
  readonly open_tasks: number;
  /** Unfinished ones, newest first, at most 20. */
  readonly tasks: TaskStatus[];
  readonly followed: { readonly count: number; readonly unanswered: number; readonly limit: number };
}

export interface IndexerStatusOptions {
  readonly store: Pick<ReadStore, 'readIndexTask' | 'listUnfinishedProgress' | 'listFollowedAddresses'>;
  readonly staleAfterMs: number;
  readonly maxFollowed: number;
}

/** How far the indexer has come, and when that was looked at: whoever asks has judged by it already, and two readings may differ. */
export interface SeenProgress {
  readonly chain: ChainProgressRow | null;
  readonly nowMs: number;
}

const MAX_TASKS = 20;

/**
 * Makes the question. Rates are measured between two askings, so whoever asks keeps the asker.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export function createIndexerStatus(options: IndexerStatusOptions): (seen: SeenProgress) => Promise<IndexerStatus> {
  const { store, staleAfterMs, maxFollowed } = options;
  let seen: ReadonlyMap<string, { readonly done: bigint; readonly timeMs: number; readonly rate: number | null }> =
    new Map();

  /** Progress is told now and then: between two tellings the rate stays what it was. */
  function rateOf({ task, done, slot_time: time }: IndexProgressRow): number | null {
    const before = seen.get(task);
    if (before === undefined) return null;
    const seconds = (time.getTime() - before.timeMs) / 1000;
    return seconds > 0 ? Number(done - before.done) / seconds : before.rate;
  }

  return async ({ chain, nowMs }) => {
    const [accounts, open, followed] = await Promise.all([
      store.readIndexTask('accounts'),
      store.listUnfinishedProgress(),
      store.listFollowedAddresses(),
    ]);
    const rates = new Map(open.map((row) => [row.task, rateOf(row)]));
    seen = new Map(
      open.map((row) => [
        row.task,
        { done: row.done, timeMs: row.slot_time.getTime(), rate: rates.get(row.task) ?? null },
      ]),
    );
    return {
      tip:
        chain === null
          ? null
          : describeAsOf(
              { slot: chain.tip_slot, timeMs: chain.tip_time.getTime(), source: chain.source, kind: 'sample' },
              nowMs,
              staleAfterMs,
            ),
      root_slot: chain === null ? null : Number(chain.root_slot),
      unfinal_slots: chain === null ? null : Math.max(0, Number(chain.tip_slot - chain.root_slot)),
      accounts_complete: accounts?.is_complete === true,
      open_tasks: open.length,
      tasks: open.slice(0, MAX_TASKS).map((row) => describeTask(row, rates.get(row.task) ?? null)),
      followed: {
        count: followed.length,
        unanswered: followed.filter(({ answered_slot: slot }) => slot === null).length,
        limit: maxFollowed,
      },
    };
  };
}

function describeTask(row: IndexProgressRow, rate: number | null): TaskStatus {
  return {
    task: row.task,
    kind: row.kind,
    address: row.address,
    done: Number(row.done),
    total: row.total === null ? null : Number(row.total),
    rate_per_second: rate,
    at_slot: row.cursor_slot === null ? null : Number(row.cursor_slot),
    until_slot: Number(row.until_slot),
    updated_at: row.slot_time.toISOString(),
  };
}
