import {
  anyAddress,
  bankContent,
  createFakeBus,
  createFakeChain,
  createLineLogger,
  FEED,
  GROUP,
  groupContent,
  pythContent,
  VAULT,
  vaultContent,
} from '@lending/fakes';
import { MARGINFI_PROGRAM } from '@lending/programs';
import { createMetrics, createReadiness } from '@lending/runtime';
import { createLeaderLock } from '@lending/store';
import { useDatabase } from '@lending/store/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { runRatePoller } from './rate-poller.ts';

const BANK = anyAddress(1);
const until = (check: () => void) => vi.waitFor(check, { timeout: 120_000, interval: 5 });

describe('two pollers on one database', () => {
  const database = useDatabase();
  const stops: (() => Promise<void>)[] = [];

  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop();
  });

  /** A poller with a node and a log of its own. */
  function startPoller() {
    const fake = createFakeChain();
    const log = createFakeBus();
    fake.accounts
      .set(BANK, bankContent())
      .set(FEED, pythContent())
      .set(VAULT, vaultContent(300n))
      .set(GROUP, groupContent());
    const leadership = createLeaderLock({
      connectionString: database.connectionString,
      name: 'rate-poller',
      retryMs: 20,
    });
    const readiness = createReadiness();
    const stopping = new AbortController();
    const running = runRatePoller(
      {
        chain: fake.chain,
        bus: log.bus,
        program: MARGINFI_PROGRAM,
        group: GROUP,
        adapters: [],
        beatMs: { p0: 10 },
        discoveryMs: 60_000,
        outboxCapacity: 1_000,
        leadership,
        logger: createLineLogger().logger,
        metrics: createMetrics(),
        readiness,
      },
      stopping.signal,
    );
    const stop = async (): Promise<void> => {
      stopping.abort();
      await running;
      await leadership.stop();
    };
    stops.push(stop);
    return { published: log.published, readiness, stop };
  }

  it('sample once, and go on when the one that samples is gone', async () => {
    const first = startPoller();
    await until(() => expect(first.published.length).toBeGreaterThan(5));
    const second = startPoller();
    await until(() => expect(second.readiness.getStatus().ready).toBe(true));
    const before = first.published.length;
    await until(() => expect(first.published.length).toBeGreaterThan(before + 20));
    expect(second.published).toEqual([]);
    await first.stop();
    const { length } = first.published;
    await until(() => expect(second.published.length).toBeGreaterThan(5));
    expect(first.published).toHaveLength(length);
  });
});
