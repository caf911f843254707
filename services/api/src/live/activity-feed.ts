import type { Logger } from '@lending/runtime';
import type { ActivityPage, ActivityPlace, ActivityRow } from '@lending/store';
import { describeRows, placeOf } from '#reads/list-activity.ts';
import type { ReadDeps } from '#reads/read-deps.ts';
import { type ActivityReader, createActivityReader } from './activity-reader.ts';
import type { PartHooks, StreamPart } from './stream-part.ts';
import type { ActivityPosition } from './stream-position.ts';

/** What is done to accounts that somebody hears of, read once for all of them. */
export interface ActivityFeed {
  /** Activity of these accounts was written; null: of any. */
  markChanged(accounts: readonly string[] | null): void;
  /** How far the chain is told: what happened long before is told from what is new by its slot alone. */
  takeTip(slot: bigint): void;
  readonly isHeard: () => boolean;
  /**
   * Begins after a position, or with what happens from now on.
   * @throws STORE__UNAVAILABLE when the database does not answer.
   */
  subscribe(asked: ActivityAsked, hooks: PartHooks): Promise<ActivityParts>;
}

export interface ActivityAsked {
  /** Wallets and accounts, and the accounts of those wallets: what they did to others is kept under the others' names. */
  readonly addresses: readonly string[];
  readonly after: ActivityPosition | null;
  /** The chain's newest slot that is told. */
  readonly tipSlot: bigint;
}

export interface ActivityParts {
  readonly activity: StreamPart<'activity', ActivityPosition>;
  readonly missed: StreamPart<'missed', null>;
}

export interface ActivityFeedOptions {
  readonly reads: Pick<ReadDeps, 'store' | 'banks'>;
  readonly logger: Logger;
}

interface Subscriber {
  readonly names: Set<string>;
  readonly reader: ActivityReader;
  readonly wake: () => void;
  /** Whether it is to read the tables itself: what it was to be told is more than a stream holds. */
  isBehind: boolean;
  catchingUp: Promise<void> | null;
}

/** Notices of one moment come one after the other. */
const DEBOUNCE_MS = 50;
const RETRY_MS = 1_000;
/** Rows of one question, and of all before streams are left to read for themselves. */
const PAGE_ROWS = 250;
const MOST_ROWS = 2_000;
/** Activities that a stream which was away is told; of older ones only that there were some. */
const MOST_REPLAYED = 500;
/** An hour of the shortest slots, 200 ms: a gap of the indexer that is repaired later than that is history. */
const LATE_SLOTS = 18_000n;
/** What happened just before a stream began may reach the tables after it did. */
const JUST_BEFORE_SLOTS = 150n;

export function createActivityFeed({ reads, logger }: ActivityFeedOptions): ActivityFeed {
  const subscribers = new Set<Subscriber>();
  /** Accounts with new rows; null: any. */
  let changed: Set<string> | null = new Set();
  let isDue = false;
  let tip = 0n;

  function readSoon(delayMs: number): void {
    if (isDue) return;
    isDue = true;
    setTimeout(() => void readChanged(), delayMs).unref();
  }

  async function readChanged(): Promise<void> {
    const accounts = changed;
    changed = new Set();
    const beganMs = performance.now();
    let restMs = DEBOUNCE_MS;
    try {
      if (subscribers.size > 0 && accounts?.size !== 0) await readNew(accounts);
      // The database keeps half of the time for others.
      restMs = Math.max(DEBOUNCE_MS, performance.now() - beganMs);
    } catch (error) {
      logger.warn('live.activity.load', { error });
      mergeChanged(accounts === null ? null : [...accounts]);
      restMs = RETRY_MS;
    }
    isDue = false;
    if (changed === null || changed.size > 0) readSoon(restMs);
  }

  async function readNew(accounts: ReadonlySet<string> | null): Promise<void> {
    const current = [...subscribers].filter(({ isBehind }) => !isBehind);
    const dirty = accounts === null ? null : await findHeard(accounts, current);
    const concerned = current.filter(({ names }) => dirty === null || dirty.some((name) => names.has(name)));
    const [first] = concerned;
    if (first === undefined) return;
    const { rows, hasMore } = await readPages(
      {
        addresses: dirty ?? [...new Set(concerned.flatMap(({ names }) => [...names]))],
        afterSlot: lowestFloor(concerned),
      },
      MOST_ROWS,
    );
    if (hasMore) {
      for (const subscriber of concerned) leaveBehind(subscriber);
      return;
    }
    const taken = rows.filter((row) => concerned.some((one) => isFor(one, row) && one.reader.isNew(row)));
    if (taken.length === 0) return;
    const entries = await describeRows(reads, taken);
    for (const subscriber of concerned) {
      const own = entries.filter((_, index) => isFor(subscriber, taken[index] as ActivityRow));
      if (!subscriber.reader.offer(own)) leaveBehind(subscriber);
      else if (own.length > 0) subscriber.wake();
    }
  }

  /**
   * Which of these accounts somebody hears of. One that nobody named may have been opened by a wallet, or liquidated by an account, that
   * somebody did: its newest rows say so. What they do not say is found when all is read again.
   */
  async function findHeard(accounts: ReadonlySet<string>, current: readonly Subscriber[]): Promise<readonly string[]> {
    const isNamed = (name: string | null) => name !== null && current.some(({ names }) => names.has(name));
    const others = [...accounts].filter((account) => !isNamed(account));
    const rows =
      others.length === 0
        ? []
        : await reads.store.readActivity({
            addresses: others,
            roles: ['account'],
            afterSlot: tip - JUST_BEFORE_SLOTS,
            limit: PAGE_ROWS,
          });
    const heard = new Set([...accounts].filter(isNamed));
    for (const { account, authority, counterparty } of rows) {
      if (counterparty !== null && isNamed(counterparty)) heard.add(counterparty);
      for (const { names } of current) {
        if (!names.has(authority)) continue;
        names.add(account);
        heard.add(account);
      }
    }
    return [...heard];
  }

  async function readPages(
    question: Omit<ActivityPage, 'limit'>,
    most: number,
  ): Promise<{ readonly rows: readonly ActivityRow[]; readonly hasMore: boolean }> {
    const rows: ActivityRow[] = [];
    let before: ActivityPlace | undefined;
    for (;;) {
      const page = await reads.store.readActivity({ ...question, before, limit: PAGE_ROWS });
      rows.push(...page);
      const last = page.at(-1);
      if (rows.length > most) return { rows: rows.slice(0, most), hasMore: true };
      if (page.length < PAGE_ROWS || last === undefined) return { rows, hasMore: false };
      before = placeOf(last);
    }
  }

  /** What a stream missed, out of the tables: newest first, since those are told where not all can be. */
  async function catchUp(subscriber: Subscriber): Promise<void> {
    const { reader, names } = subscriber;
    subscriber.isBehind = false;
    try {
      const { rows, hasMore } = await readPages(
        { addresses: [...names], afterSlot: reader.position().floor },
        MOST_REPLAYED,
      );
      const fresh = rows.filter((row) => reader.isNew(row));
      reader.catchUp(fresh.length === 0 ? [] : await describeRows(reads, fresh), hasMore);
    } catch (error) {
      subscriber.isBehind = true;
      throw error;
    }
  }

  /** The same while a stream is open: it is tried until it comes off. */
  function catchUpSoon(subscriber: Subscriber): void {
    subscriber.catchingUp ??= catchUp(subscriber)
      .catch((error: unknown) => {
        logger.warn('live.activity.load', { error });
        setTimeout(() => subscriber.wake(), RETRY_MS).unref();
      })
      .finally(() => {
        subscriber.catchingUp = null;
        if (!subscriber.isBehind) subscriber.wake();
      });
  }

  function mergeChanged(accounts: readonly string[] | null): void {
    if (accounts === null) changed = null;
    else for (const account of accounts) changed?.add(account);
  }

  return {
    markChanged(accounts) {
      if (subscribers.size === 0) return;
      mergeChanged(accounts);
      readSoon(DEBOUNCE_MS);
    },
    takeTip(slot) {
      tip = slot;
      for (const { reader, isBehind, catchingUp } of subscribers) {
        if (!isBehind && catchingUp === null) reader.forget(slot - LATE_SLOTS);
      }
    },
    isHeard: () => subscribers.size > 0,
    async subscribe({ addresses, after, tipSlot }, { wake }) {
      const begin: ActivityPosition = after ?? {
        floor: tipSlot > JUST_BEFORE_SLOTS ? tipSlot - JUST_BEFORE_SLOTS : 0n,
        told: new Map(),
      };
      const subscriber: Subscriber = {
        names: new Set(addresses),
        reader: createActivityReader(begin),
        wake,
        isBehind: false,
        catchingUp: null,
      };
      subscribers.add(subscriber);
      const { reader } = subscriber;
      try {
        await catchUp(subscriber);
      } catch (error) {
        subscribers.delete(subscriber);
        throw error;
      }
      // Of a stream that begins, what is in the tables is history.
      if (after === null) {
        while (reader.nextActivity() !== null);
        reader.nextMissed();
      }
      return {
        activity: {
          next() {
            const activity = reader.nextActivity();
            if (activity === null && subscriber.isBehind) catchUpSoon(subscriber);
            return activity;
          },
          position: reader.position,
          close: () => void subscribers.delete(subscriber),
        },
        missed: { next: reader.nextMissed, position: () => null, close: () => undefined },
      };
    },
  };
}

function isFor({ names }: Subscriber, { account, authority, counterparty }: ActivityRow): boolean {
  return names.has(account) || names.has(authority) || (counterparty !== null && names.has(counterparty));
}

function lowestFloor(subscribers: readonly Subscriber[]): bigint {
  const floors = subscribers.map(({ reader }) => reader.position().floor);
  return floors.toSorted((a, b) => (a < b ? -1 : 1))[0] ?? 0n;
}

/** It reads the tables itself when its reader comes to it. */
function leaveBehind(subscriber: Subscriber): void {
  subscriber.isBehind = true;
  subscriber.wake();
}
