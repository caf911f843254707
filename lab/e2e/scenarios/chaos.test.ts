import { createChain } from '@lending/chain';
import { type OpenedLocalnet, openLocalnet } from '@lending/localnet';
import { requestFollow } from '@lending/store';
import { useDatabase } from '@lending/store/testing';
import { isKafkaMissing, KAFKA_NEEDS, startKafkaBroker } from '@lending/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { Cluster } from '../src/cluster/cluster.ts';
import { startApiHere, startIndexerHere } from '../src/cluster/in-process.ts';
import { type Opened, useOpened } from '../src/cluster/opened.ts';
import { eventually } from '../src/eventually.ts';
import { startEcho } from '../src/faults/echo.ts';
import { followedOf, type StatusWatch, untruthsOf, watchStatus } from '../src/faults/status-watch.ts';
import { createRandom, SLOT_MS, STALE_AFTER_MS, shuffle, strikesOn } from '../src/faults/strikes.ts';
import { standStill } from '../src/stand-still.ts';
import { untilEqualToChain } from '../src/tables/chain-truth.ts';
import { compareDumps, dumpTables } from '../src/tables/dump-tables.ts';
import { query } from '../src/tables/query.ts';

const SEED = Number(process.env.CHAOS_SEED ?? Math.floor(Math.random() * 1_000_000));
/** `npm run prove` strikes with them all. */
const STRIKES_ALL = process.env.CHAOS_STRIKES === 'all';
/** Enough for a fork to take some; `npm run prove` sets more. */
const TRANSACTIONS_PER_SECOND = Number(process.env.CHAOS_TRANSACTIONS_PER_SECOND ?? 15);
const isSkipped = await isKafkaMissing();

async function openChain(opened: Opened): Promise<OpenedLocalnet> {
  const options = { slotMs: SLOT_MS, transactionsPerSecond: TRANSACTIONS_PER_SECOND };
  const localnet = opened.keep(await openLocalnet({ genesis: { kind: 'demo' }, ...options }));
  await localnet.start();
  return localnet;
}

const chainAt = (rpcUrl: string) => createChain({ rpcUrls: [rpcUrl], source: 'localnet' });

describe.skipIf(isSkipped)(`chaos, CHAOS_SEED=${SEED} (a Kafka broker ${KAFKA_NEEDS})`, () => {
  const calm = useDatabase();
  const tried = useDatabase();
  const opened = useOpened();
  let localnet: OpenedLocalnet;
  let watch: StatusWatch;
  let newestConfirmed = 0n;

  beforeAll(async () => {
    const random = createRandom(SEED);
    const broker = opened.keep(await startKafkaBroker());
    localnet = await openChain(opened);
    const nodes = [await localnet.openNode(), await localnet.openNode()] as const;
    const cluster = opened.keep(
      new Cluster({
        kafka: broker.brokers.join(),
        databaseUrl: tried.connectionString,
        rpcUrl: nodes.map(({ rpcUrl }) => rpcUrl).join(),
        settings: { INDEX_SCOPE: 'all', WALLET_REFRESH_MS: '1000', WATCH_COLLECT_MS: '100', LOG_LEVEL: 'info' },
      }),
    );
    const settings = { ACCOUNTS_STALE_AFTER_MS: String(STALE_AFTER_MS) };
    const api = opened.keep(await startApiHere(tried, { chain: chainAt(localnet.rpcUrl), settings }));
    opened.keep(await startIndexerHere(calm, chainAt(localnet.rpcUrl)));
    await cluster.start('indexer');
    for (const { db } of [calm, tried]) {
      for (const { address } of localnet.wallets) {
        for (const aspect of ['accounts', 'activity', 'wallet'] as const) {
          await requestFollow(db, { address, aspect, maxFollowed: 100 });
        }
      }
    }
    watch = watchStatus(api.url, localnet);
    await watch.until((status) => followedOf(status).isReady && status.indexer?.accounts_complete === true, 180_000);

    const strikes = strikesOn({ broker, localnet, nodes, cluster, tables: tried, watch, random });
    const echo = await startEcho(broker, random);
    const chosen = strikes.filter(({ provenBy }) => STRIKES_ALL || provenBy === undefined);
    for (const { name, strike } of shuffle(chosen, random)) {
      watch.during(name);
      await strike();
      await watch.until((status) => followedOf(status).isReady, 180_000);
      watch.during('calm');
    }
    watch.during('the end');
    await echo.stop();
    expect(echo.count).toBeGreaterThan(100);
    newestConfirmed = localnet.ledger.slot('processed');
    await standStill(localnet);
    await watch.until((status) => followedOf(status).isReady, 180_000);
    await localnet.ledger.pause();
    await watch.stop();
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
    for (const database of [calm, tried]) await untilEqualToChain(database, localnet);
  });

  it('[chaos-honest-status] was told the truth by /v1/status meanwhile', () => {
    const { ledger } = localnet;
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
  const opened = useOpened();

  it('[silence-made-up] has all its accounts and activity found by asking', async () => {
    const localnet = await openChain(opened);
    const node = await localnet.openNode();
    node.setFault({ kind: 'mute_subscriptions', kinds: ['logs', 'program'] });
    const activityTuning = { reconcileMs: 1_500 };
    opened.keep(await startIndexerHere(database, chainAt(node.rpcUrl), { activityTuning }));
    await eventually(async () => {
      const [found] = await query<{ count: number }>(
        database,
        'select count(distinct signature)::integer from activity',
      );
      expect(found?.count).toBeGreaterThan(100);
    }, 150_000);
    await standStill(localnet);
    await untilEqualToChain(database, localnet);
  });
});
