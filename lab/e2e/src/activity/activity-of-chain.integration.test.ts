import { type Chain, createChain, type ProgramSource } from '@lending/chain';
import { type OpenedLocalnet, openLocalnet } from '@lending/localnet';
import { useDatabase } from '@lending/store/testing';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { startIndexerHere } from '../cluster/in-process.ts';
import { useOpened } from '../cluster/opened.ts';
import { untilEqualToChain } from '../tables/chain-truth.ts';
import { query } from '../tables/query.ts';

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
  const opened = useOpened();
  let localnet: OpenedLocalnet;

  beforeAll(async () => {
    const acting = { slotMs: SLOT_MS, transactionsPerSecond: 40, report: () => undefined };
    localnet = opened.keep(await openLocalnet({ genesis: { kind: 'demo', seed: 5 }, ...acting }));
    await localnet.start();
    // Some of it is past, and final, before anybody listens.
    const begun = localnet.ledger.slot('confirmed');
    await vi.waitFor(() => expect(localnet.ledger.slot('finalized')).toBeGreaterThan(begun), PATIENCE);
    const chain = createChain({ rpcUrls: [localnet.rpcUrl], source: 'localnet' });
    opened.keep(await startIndexerHere(database, chain, { source: sourceOf(chain) }));
  });

  it('is all in the tables, marked final where it is, and the past with it', async () => {
    const { ledger } = localnet;
    const countActivity = async () => {
      const [row] = await query<{ count: string }>(database, 'select count(*) from activity');
      return Number(row?.count);
    };
    await expect.poll(countActivity, PATIENCE).toBeGreaterThan(100);
    localnet.rest();
    await untilEqualToChain(database, localnet);
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
