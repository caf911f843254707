import { createLogger, createMetrics, type Metrics } from '@lending/runtime';
import type { AccountRow, ActivityPage, ActivityRow, BankMeasureRow, BankRow } from '@lending/store';
import type { ChangeFeed } from '#reads/change-feed.ts';
import { ACCOUNT, accountRow, activityRow, BANKS, MEASURES, priceColumn, TIP } from '../../testing/account-rows.ts';
import { CHAIN_TIME_MS, SOL_BANK } from '../../testing/bank-row.ts';
import { answeredFollow, createTestReads, fakeStore } from '../../testing/test-app.ts';
import { createLiveHub, type LiveHubOptions } from '../create-live-hub.ts';
import type { FollowOptions, LiveEvent, LiveHub, LiveQuestion, LiveStream } from '../live-hub.ts';

/** Tables that a test changes, and instances of the hub in front of them. */
export interface LiveWorld {
  banks: readonly BankRow[];
  measures: readonly BankMeasureRow[];
  accounts: readonly AccountRow[];
  /** In the order in which they were written. */
  activity: ActivityRow[];
  /** Questions to the tables fail with it while it is set. */
  failure: Error | null;
  readonly asked: { readAccountsAt: number; readActivity: number };
  /** Another instance, with its own memory. */
  instance(limits?: Partial<LiveHubOptions['limits']>): Instance;
  /** The price of SOL falls or rises, and every instance is told. */
  setSolPrice(usd: string): void;
  /** Writes activity, and tells every instance. */
  act(...rows: readonly ActivityRow[]): void;
}

export interface Instance {
  readonly hub: LiveHub;
  readonly metrics: Metrics;
  readonly feed: ChangeFeed;
  follow(question: Partial<LiveQuestion>, options?: Partial<FollowOptions>): Promise<Reader>;
}

/** A reader of a stream that takes what came. */
export interface Reader {
  readonly stream: LiveStream;
  take(count: number, withinMs?: number): Promise<readonly LiveEvent[]>;
  leave(): void;
}

export function createLiveWorld(): LiveWorld {
  const logger = createLogger({ level: 'silent', name: 'test' });
  const instances: { readonly feed: ChangeFeed; readonly mark: () => void }[] = [];
  const guard = <T>(value: () => T) => {
    if (world.failure !== null) throw world.failure;
    return value();
  };

  const world: LiveWorld = {
    banks: BANKS,
    measures: MEASURES,
    accounts: [accountRow()],
    activity: [],
    failure: null,
    asked: { readAccountsAt: 0, readActivity: 0 },
    instance(limits = {}) {
      const now = () => CHAIN_TIME_MS + 5_000;
      const of = (address: string) =>
        world.accounts.filter((row) => row.address === address || row.authority === address);
      const store = fakeStore([], {
        listBanks: async () => guard(() => world.banks),
        listBankMeasures: async () => guard(() => world.measures),
        readChainProgress: async () => guard(() => TIP),
        readAccountsOf: async (address) => guard(() => of(address)),
        readAccountsAt: async (addresses) => {
          world.asked.readAccountsAt += 1;
          return guard(() => world.accounts.filter((row) => addresses.includes(row.address)));
        },
        readActivity: async (page) => {
          world.asked.readActivity += 1;
          return guard(() => pageOf(world.activity, page));
        },
        readActivityPrices: async () => [],
        requestFollow: async ({ address, aspect }) => ({
          kind: 'known',
          follow: answeredFollow(
            address,
            aspect,
            of(address).map((row) => row.address),
          ),
        }),
      });
      const metrics = createMetrics();
      const { reads, feed } = createTestReads({ store }, { logger, metrics, now });
      const most = { most: 100, mostPerClient: 100, mostAddresses: 100, ...limits };
      const hub = createLiveHub({ reads, feed, logger, metrics, limits: most });
      instances.push({
        feed,
        mark() {
          reads.banks.markChanged();
          reads.measures.markChanged();
        },
      });
      return {
        hub,
        metrics,
        feed,
        async follow(question, options = {}) {
          const leaving = new AbortController();
          const stream = await hub.follow(
            { rates: [], banks: [], health: [], activity: [], ...question },
            { after: null, client: 'test', signal: leaving.signal, callName: 'the test', ...options },
          );
          return readerOf(stream, () => leaving.abort());
        },
      };
    },
    setSolPrice(usd) {
      world.measures = world.measures.map((row) => (row.bank === SOL_BANK ? { ...row, price: priceColumn(usd) } : row));
      for (const { feed, mark } of instances) {
        mark();
        feed.tell({ topic: 'bank.measured.v1', keys: [SOL_BANK] });
      }
    },
    act(...rows) {
      world.activity.push(...rows);
      for (const { feed } of instances) {
        feed.tell({ topic: 'activity.recorded.v1', keys: rows.map(({ account }) => account) });
      }
    },
  };
  return world;
}

/** As the tables answer: newest first, after a slot, before a place. */
function pageOf(rows: readonly ActivityRow[], page: ActivityPage): readonly ActivityRow[] {
  const { addresses, roles = ['account', 'authority', 'counterparty'], before, afterSlot, limit } = page;
  const order = ({ slot, signature, instruction_index: index }: ActivityRow) =>
    `${slot.toString().padStart(20, '0')} ${signature} ${String(index).padStart(5, '0')}`;
  const end =
    before === undefined
      ? null
      : `${before.slot.toString().padStart(20, '0')} ${before.signature} ${String(before.instructionIndex).padStart(5, '0')}`;
  return rows
    .filter((row) => roles.some((role) => addresses.includes(row[role] ?? '')))
    .filter((row) => (afterSlot === undefined || row.slot > afterSlot) && (end === null || order(row) < end))
    .toSorted((a, b) => (order(a) < order(b) ? 1 : -1))
    .slice(0, limit);
}

function readerOf(stream: LiveStream, leave: () => void): Reader {
  const events: LiveEvent[] = [];
  let more: () => void = () => undefined;
  void (async () => {
    for await (const event of stream) {
      events.push(event);
      more();
    }
  })();
  return {
    stream,
    leave,
    async take(count, withinMs = 30_000) {
      const deadlineMs = performance.now() + withinMs;
      while (events.length < count && performance.now() < deadlineMs) {
        await new Promise<void>((resolve) => {
          more = resolve;
          setTimeout(resolve, Math.max(0, deadlineMs - performance.now()));
        });
      }
      return events.splice(0, count);
    },
  };
}

/** A deposit in a slot, told from others by its signature. */
export function deposit(slot: bigint, name: string, changes: Partial<ActivityRow> = {}): ActivityRow {
  const signature = name.padEnd(88, '1');
  return activityRow({ id: `${signature}:2`, signature, slot, account: ACCOUNT, ...changes });
}
