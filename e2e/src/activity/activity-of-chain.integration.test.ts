import { type Bus, createBus } from '@lending/bus';
import { type Chain, createChain, type ProgramSource } from '@lending/chain';
import { claimNodesChain, runIndexer } from '@lending/indexer';
import { type OpenedLocalnet, openLocalnet } from '@lending/localnet';
import { createLogger, createMetrics, createReadiness } from '@lending/runtime';
import { useDatabase } from '@lending/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { differencesFromChain } from '../chaos/chain-truth.ts';
import { query } from '../history/tables.ts';
import { INDEXER_SETTINGS } from '../indexer-settings.ts';

const SLOT_MS = 100;
const MAX_SLOTS_BEHIND = 50;
/** Only a hang takes so long. */
const PATIENCE = { timeout: 120_000, interval: 200 };

/** What reaches the tables of what happens on a chain that goes on all the while, and how soon. */
describe.each([
  ['pubsub', (chain: Chain): ProgramSource => chain.createPubSubSource()],
  ['polling', (chain: Chain): ProgramSource => chain.createPollingSource({ everyMs: 300 })],
] as const)('activity heard by %s', (_kind, sourceOf) => {
  const database = useDatabase();
  let localnet: OpenedLocalnet;
  let bus: Bus;
  let running: Promise<void>;
  const stopping = new AbortController();

  beforeAll(async () => {
    localnet = await openLocalnet({
      genesis: { kind: 'demo', seed: 5 },
      slotMs: SLOT_MS,
      transactionsPerSecond: 40,
      report: () => undefined,
    });
    await localnet.start();
    // Some of it is past, and final, before anybody listens.
    const begun = localnet.ledger.slot('confirmed');
    await vi.waitFor(() => expect(localnet.ledger.slot('finalized')).toBeGreaterThan(begun), PATIENCE);
    const { connectionString, store } = database;
    const logger = createLogger({ level: 'silent', name: 'test' });
    const chain = createChain({ rpcUrls: [localnet.rpcUrl], source: 'localnet' });
    bus = await createBus({ kind: 'embedded', connectionString });
    const readiness = createReadiness();
    await claimNodesChain({ chain, store, logger, readiness }, stopping.signal);
    running = runIndexer(
      {
        ...INDEXER_SETTINGS,
        chain,
        source: sourceOf(chain),
        bus,
        store,
        walletRefreshMs: 60_000,
        listenFollowed: () => async () => undefined,
        collectMs: 100,
        logger,
        metrics: createMetrics(),
        readiness,
      },
      stopping.signal,
    );
  });

  afterAll(async () => {
    stopping.abort();
    await running;
    await bus?.close();
    await localnet?.stop();
  });

  it('is all in the tables, marked final where it is, and the past with it', async () => {
    const { ledger } = localnet;
    const countActivity = async () => {
      const [row] = await query<{ count: string }>(database, 'select count(*) from activity');
      return Number(row?.count);
    };
    await expect.poll(countActivity, PATIENCE).toBeGreaterThan(100);
    localnet.rest();
    await expect.poll(() => differencesFromChain(database, localnet), PATIENCE).toEqual([]);
    const target = ledger.slot('confirmed');
    await expect.poll(() => ledger.slot('finalized'), PATIENCE).toBeGreaterThan(target);
    await expect
      .poll(() => query(database, 'select distinct finality from slot_finality'), PATIENCE)
      .toEqual([{ finality: 'finalized' }]);
    const slotsBehind = async () => {
      const [progress] = await query<{ tip_slot: string }>(database, 'select tip_slot from chain_progress');
      return Number(ledger.slot('confirmed')) - Number(progress?.tip_slot);
    };
    await expect.poll(slotsBehind, PATIENCE).toBeLessThan(MAX_SLOTS_BEHIND);
    const unread = () => query(database, `select task from index_progress where kind = 'activity' and not is_complete`);
    await expect.poll(unread, PATIENCE).toEqual([]);
  });
});
