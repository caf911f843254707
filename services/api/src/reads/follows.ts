import type { FollowAspect } from '@lending/domain';
import type { FollowRow, IndexProgressRow } from '@lending/store';
import type { Reading } from './as-of.ts';
import type { ChangeFeed } from './change-feed.ts';
import type { ProgressSet } from './progress-set.ts';
import type { ReadStore } from './read-store.ts';

/** Whether the tables hold all there is of an address. */
export interface Cover {
  readonly isComplete: boolean;
  /** Why not; null when it is complete. */
  readonly reason: string | null;
  /** Whether what is there is kept up to date. */
  readonly isFollowed: boolean;
  /** The indexer's answer; null where there is none yet, and where none is needed. */
  readonly answer: FollowRow | null;
}

export interface FollowsOptions {
  readonly store: Pick<ReadStore, 'requestFollow' | 'readFollow' | 'listIndexProgress'>;
  readonly feed: Pick<ChangeFeed, 'next'>;
  readonly progress: Pick<ProgressSet, 'get'>;
  /** The program whose transactions are everybody's activity: gaps of the stream are read by it. */
  readonly program: string;
  /** How long an answer waits for an address that nobody followed. */
  readonly waitMs: number;
  /** Addresses that are followed at most. */
  readonly maxFollowed: number;
  /** More than this many callers do not wait at once: they get what there is. Default 200. */
  readonly maxWaiting?: number;
}

type AreRowsThere = (answer: FollowRow) => Promise<boolean>;

/** Asks the indexer for addresses that are not followed yet. */
export interface Follows {
  /**
   * Sees to it that an address is followed, and waits a while until it was read and `areRowsThere`.
   * @throws STORE__UNAVAILABLE when the database does not answer.
   */
  cover(address: string, aspect: FollowAspect, areRowsThere: AreRowsThere): Promise<Cover>;
}

/** Notices can be missed, so the tables are asked again anyway; sooner for rows, whose notice may have come before the answer's. */
const ANSWER_POLL_MS = 250;
const ROWS_POLL_MS = 40;

/** Longer than the indexer pauses after anything that fails: a part of the past that does not come on for so long is stuck. */
const STILL_MINUTES = 15;

/** Nobody has to be asked: everything there is, is there. */
export const COVERED: Cover = { isComplete: true, reason: null, isFollowed: true, answer: null };

export function createFollows(options: FollowsOptions): Follows {
  const { store, feed, progress, program, waitMs, maxFollowed, maxWaiting = 200 } = options;
  let waiting = 0;

  async function waitFor(
    { address, aspect }: FollowRow,
    first: FollowRow | null,
    areRowsThere: AreRowsThere,
  ): Promise<Cover> {
    const deadlineMs = performance.now() + waitMs;
    let answer = first;
    for (;;) {
      const leftMs = deadlineMs - performance.now();
      if (leftMs <= 0) return answer === null ? NOT_READ : NOT_PROJECTED;
      await feed.next(address, Math.min(leftMs, answer === null ? ANSWER_POLL_MS : ROWS_POLL_MS));
      answer ??= answered(await store.readFollow(address, aspect));
      if (answer !== null && (await areRowsThere(answer))) return describe(answer);
    }
  }

  /** An answer that could not be whole at first is, once what it began has been read to its end. */
  async function describe(answer: FollowRow): Promise<Cover> {
    const whole: Cover = { isComplete: true, reason: null, isFollowed: true, answer };
    if (answer.aspect !== 'activity') return answer.is_complete === false ? { ...whole, ...TOO_MANY } : whole;
    const addresses = [answer.address, ...(answer.accounts ?? [])];
    const all = await store.listIndexProgress([program, ...addresses]);
    const tasks = all.filter(({ address }) => address !== program);
    const { tip } = await progress.get();
    const open = tasks.filter(({ is_complete: isComplete }) => !isComplete);
    if (open.length === 0 && (answer.is_complete !== false || tasks.length > 0)) {
      const gap = all.find((task) => task.address === program && mayHide(task, tasks, addresses));
      return gap === undefined ? whole : { ...whole, isComplete: false, reason: reasonOfGap(gap, tip) };
    }
    return { ...whole, isComplete: false, reason: reasonOfPast(tasks, open, tip) };
  }

  return {
    async cover(address, aspect, areRowsThere) {
      const { areAccountsComplete, isActivityComplete } = await progress.get();
      if (aspect === 'accounts' && areAccountsComplete) return COVERED;
      if (aspect === 'activity' && isActivityComplete) return COVERED;
      const { follow, kind } = await store.requestFollow({ address, aspect, maxFollowed });
      if (kind === 'full') return FULL;
      const answer = answered(follow);
      if (answer !== null && (await areRowsThere(answer))) return describe(answer);
      if (waiting >= maxWaiting) return answer === null ? NOT_READ : NOT_PROJECTED;
      waiting += 1;
      try {
        return await waitFor(follow, answer, areRowsThere);
      } finally {
        waiting -= 1;
      }
    },
  };
}

/** What is open of everybody's past hides nothing of addresses whose own past was read from above it on. */
function mayHide(
  everybodys: IndexProgressRow,
  own: readonly IndexProgressRow[],
  addresses: readonly string[],
): boolean {
  if (everybodys.is_complete) return false;
  const isReadFrom = (address: string) =>
    own.some((task) => task.address === address && task.from_slot >= everybodys.from_slot);
  return !addresses.every(isReadFrom);
}

function reasonOfPast(
  tasks: readonly IndexProgressRow[],
  open: readonly IndexProgressRow[],
  tip: Reading | null,
): string {
  const done = tasks.reduce((sum, task) => sum + task.done, 0n);
  const minutes = minutesStill(open, tip);
  return minutes === null
    ? `its past is still being read, newest first: ${done} transactions so far`
    : `its past was read no further for ${minutes} minutes, after ${done} transactions: the node may have no older ones, and those are missing here`;
}

function reasonOfGap(gap: IndexProgressRow, tip: Reading | null): string {
  const what = `what happened in slots ${gap.until_slot + 1n} to ${gap.from_slot} was missed`;
  const minutes = minutesStill([gap], tip);
  return minutes === null
    ? `${what} and is still being read, newest first`
    : `${what} and was read no further for ${minutes} minutes: the node may have thrown some of it away`;
}

/**
 * For how long no part that is open has come on, while the chain went on; null where that is not long. Nobody writes down that a node
 * has thrown its past away, so it can only be supposed.
 */
function minutesStill(open: readonly IndexProgressRow[], tip: Reading | null): number | null {
  if (open.length === 0 || tip === null) return null;
  const minutes = Math.floor((tip.timeMs - Math.max(...open.map((task) => task.slot_time.getTime()))) / 60_000);
  return minutes < STILL_MINUTES ? null : minutes;
}

function answered(row: FollowRow | null): FollowRow | null {
  return row === null || row.answered_slot === null ? null : row;
}

const TOO_MANY = { isComplete: false, reason: 'there are more than one answer holds' } as const;

const NOT_READ: Cover = {
  isComplete: false,
  reason: 'nobody followed this address yet: it is being read from the chain, call again in a few seconds',
  isFollowed: false,
  answer: null,
};

const NOT_PROJECTED: Cover = {
  ...NOT_READ,
  reason: 'it was read from the chain, and what was found is on its way into the tables: call again in a second',
};

const FULL: Cover = {
  ...NOT_READ,
  reason: 'as many addresses are followed as the operator allows: call again when others have lapsed',
};
