import { apiSettings, type RunningApi, startApi } from '@lending/api';
import { createChain } from '@lending/chain';
import { createLogger, createMetrics, parseConfig } from '@lending/runtime';
import { listenProjected, requestFollow } from '@lending/store';
import {
  isKafkaMissing,
  KAFKA_NEEDS,
  type KafkaBroker,
  RAISED_RATE_LIMITS,
  startKafkaBroker,
  useDatabase,
} from '@lending/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { differencesFromChain } from '../src/chaos/chain-truth.ts';
import { type ChaosChain, openChaosChain } from '../src/chaos/chaos-chain.ts';
import { compareDumps, dumpTables } from '../src/chaos/dump-tables.ts';
import { startEcho } from '../src/chaos/echo.ts';
import { type Faults, faultsOf, STALE_AFTER_MS } from '../src/chaos/faults.ts';
import { createRandom, shuffle } from '../src/chaos/random.ts';
import { followedOf, type StatusWatch, untruthsOf, watchStatus } from '../src/chaos/status-watch.ts';
import { type Running, startSteadyIndexer } from '../src/chaos/steady-indexer.ts';
import { createStruckIndexer, type StruckIndexer } from '../src/chaos/struck-indexer.ts';
import { eventually } from '../src/eventually.ts';
import { query } from '../src/history/tables.ts';
import { standStill } from '../src/stand-still.ts';

const SEED = Number(process.env.CHAOS_SEED ?? Math.floor(Math.random() * 1_000_000));
/** `npm run prove` strikes with them all. */
const STRIKES_ALL = process.env.CHAOS_STRIKES === 'all';
const isSkipped = await isKafkaMissing();

describe.skipIf(isSkipped)(`chaos, CHAOS_SEED=${SEED} (a Kafka broker ${KAFKA_NEEDS})`, () => {
  const calm = useDatabase();
  const tried = useDatabase();
  let broker: KafkaBroker;
  let chain: ChaosChain;
  let steady: Running;
  let struck: StruckIndexer;
  let api: RunningApi;
  let watch: StatusWatch;
  let newestConfirmed = 0n;

  beforeAll(async () => {
    const random = createRandom(SEED);
    [broker, chain] = await Promise.all([startKafkaBroker(), openChaosChain()]);
    struck = createStruckIndexer(tried, broker, chain.struck);
    api = await startApi({
      config: parseConfig(apiSettings, {
        API_PORT: '0',
        ...RAISED_RATE_LIMITS,
        ACCOUNTS_STALE_AFTER_MS: String(STALE_AFTER_MS),
      }),
      db: tried.db,
      chain: createChain({ rpcUrls: [chain.steady.rpcUrl], source: 'localnet' }),
      logger: createLogger({ level: 'silent', name: 'chaos' }),
      metrics: createMetrics(),
      watchChanges: async (onChange) => {
        const { connectionString } = tried;
        const listener = listenProjected({ connectionString, onProjected: onChange, onListening: onChange });
        return () => listener.stop();
      },
      version: '0.0.0',
    });
    [steady] = await Promise.all([startSteadyIndexer(calm, chain.steady), struck.start()]);
    for (const { db } of [calm, tried]) {
      for (const { address } of chain.localnet.wallets) {
        for (const aspect of ['accounts', 'activity', 'wallet'] as const) {
          await requestFollow(db, { address, aspect, maxFollowed: 100 });
        }
      }
    }
    watch = watchStatus(api.url, chain.localnet);
    await watch.until((status) => followedOf(status).isReady && status.indexer?.accounts_complete === true, 180_000);

    const faults: Faults = { broker, chain, struck, watch, random };
    const echo = await startEcho(broker, random);
    const chosen = faultsOf(faults).filter(({ provenBy }) => STRIKES_ALL || provenBy === undefined);
    for (const { name, strike } of shuffle(chosen, random)) {
      watch.during(name);
      await strike();
      await watch.until((status) => followedOf(status).isReady, 180_000);
      watch.during('calm');
    }
    watch.during('the end');
    await echo.stop();
    expect(echo.count).toBeGreaterThan(100);
    newestConfirmed = chain.localnet.ledger.slot('processed');
    await standStill(chain.localnet);
    await watch.until((status) => followedOf(status).isReady, 180_000);
    await chain.localnet.ledger.pause();
    await watch.stop();
  });

  afterAll(async () => {
    await Promise.all([struck?.stop(), steady?.stop()]);
    await api?.close();
    await chain?.stop();
    await broker?.stop();
  });

  it('[chaos-equal-tables] ends with the tables of an indexer that nothing happened to', async () => {
    await eventually(
      async () => {
        expect(compareDumps(await dumpTables(calm), await dumpTables(tried))).toEqual([]);
        // A walk back may find nothing new any more, and must end all the same.
        for (const database of [calm, tried]) {
          const unread = await query(database, 'select * from index_progress where not is_complete');
          expect(unread).toEqual([]);
        }
      },
      180_000,
      500,
    );
    const dropped = await query(calm, `select slot from slot_finality where finality = 'dropped'`);
    expect(dropped.length).toBeGreaterThan(0);
    const dump = await dumpTables(tried);
    const tables = ['account', 'balance', 'account_order', 'activity', 'activity_leg', 'wallet'];
    for (const table of tables) {
      expect(dump.get(table)?.length ?? 0, table).toBeGreaterThan(0);
    }
    expect(dump.get('finality of activity')?.filter((row) => !row.endsWith(' finalized'))).toEqual([]);
  });

  it('[chaos-equal-chain] ends with what is on the chain', async () => {
    for (const database of [calm, tried]) {
      await eventually(
        async () => expect(await differencesFromChain(database, chain.localnet)).toEqual([]),
        180_000,
        500,
      );
    }
  });

  it('[chaos-honest-status] was told the truth by /v1/status meanwhile', () => {
    const { ledger } = chain.localnet;
    const timeOf = (slot: bigint) => ledger.blockAt(slot)?.unixTimestamp;
    const facts = { newestConfirmed, staleAfterMs: STALE_AFTER_MS, timeOf };
    const untruths = watch.observations.flatMap((observation) => {
      return untruthsOf(observation, facts).map((untruth) => `${observation.during}: ${untruth}`);
    });
    expect(untruths).toEqual([]);
    expect(watch.observations.length).toBeGreaterThan(50);
  });
});

describe('a node whose sockets say nothing but slots', () => {
  const database = useDatabase();

  it('[silence-made-up] has all its accounts and activity found by asking', async () => {
    const chain = await openChaosChain();
    const [node] = chain.struck;
    node.setFault({ kind: 'mute_subscriptions', kinds: ['logs', 'program'] });
    const indexer = await startSteadyIndexer(database, node, 1_500);
    try {
      await eventually(async () => {
        const [found] = await query<{ count: number }>(
          database,
          'select count(distinct signature)::integer from activity',
        );
        expect(found?.count).toBeGreaterThan(100);
      }, 150_000);
      await standStill(chain.localnet);
      await eventually(
        async () => expect(await differencesFromChain(database, chain.localnet)).toEqual([]),
        180_000,
        500,
      );
    } finally {
      await indexer.stop();
      await chain.stop();
    }
  });
});
