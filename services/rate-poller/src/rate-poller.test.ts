import { LendingError } from '@lending/errors';
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
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { VenueHistory } from './backfill/venue-history.ts';
import { type RatePollerOptions, runRatePoller } from './rate-poller.ts';
import { createFakeLeadership } from './testing/fake-leadership.ts';
import { createMadeAdapter, madeReserveContent } from './testing/made-venue.ts';

const [BANK, OTHER, NEW_FEED] = [anyAddress(1), anyAddress(2), anyAddress(3)];
const BEAT_MS = 10;
/** Stake pools are looked for in the accounts of three programs. */
const POOL_LISTINGS = 3;
const until = (check: () => void) => vi.waitFor(check, { timeout: 120_000, interval: 5 });
const stops: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** A chain with two banks of one feed and one vault, a log and everything a poller wants; `start` runs it. */
function createMarket() {
  const fake = createFakeChain();
  fake.accounts
    .set(BANK, bankContent())
    .set(OTHER, bankContent())
    .set(FEED, pythContent())
    .set(VAULT, vaultContent(300n))
    .set(GROUP, groupContent());
  const log = createFakeBus();
  const readiness = createReadiness();
  const metrics = createMetrics();
  const { logger, lines } = createLineLogger();
  const { leadership, become } = createFakeLeadership();
  const start = (options: Partial<RatePollerOptions> = {}) => {
    const stopping = new AbortController();
    const about = { chain: fake.chain, bus: log.bus, program: MARGINFI_PROGRAM, group: GROUP, adapters: [] };
    const running = runRatePoller(
      {
        ...about,
        beatMs: { p0: BEAT_MS },
        discoveryMs: 60_000,
        outboxCapacity: 10_000,
        leadership,
        logger,
        metrics,
        readiness,
        ...options,
      },
      stopping.signal,
    );
    const stop = async (): Promise<void> => {
      stopping.abort();
      await running;
    };
    stops.push(stop);
    return { stop };
  };
  const reason = (part = 'rate-poller') =>
    readiness.getStatus().components.find(({ name }) => name === part)?.reason ?? null;
  const said = (event: string) => lines.filter((line) => line.event === event);
  /** What was priced of one bank, beat by beat. */
  const prices = (bank: string) =>
    log.published.flatMap(({ type, key, payload }) =>
      type === 'oracle.priced.v1' && key === bank && 'reason' in payload && 'setup' in payload
        ? [payload.priceUsd ?? payload.reason]
        : [],
    );
  return { fake, log, readiness, metrics, become, start, reason, said, prices };
}

describe('runRatePoller', () => {
  it('publishes a sample, a price and a measure of every bank on each beat', async () => {
    const market = createMarket();
    market.start();
    await until(() => expect(market.log.published.length).toBeGreaterThanOrEqual(18));
    const [first, second] = [market.log.published.slice(0, 6), market.log.published.slice(6, 12)];
    for (const beat of [first, second])
      expect(beat.map(({ type, key }) => `${type} ${key}`)).toEqual([
        `rate.sampled.v1 ${BANK}`,
        `oracle.priced.v1 ${BANK}`,
        `bank.measured.v1 ${BANK}`,
        `rate.sampled.v1 ${OTHER}`,
        `oracle.priced.v1 ${OTHER}`,
        `bank.measured.v1 ${OTHER}`,
      ]);
    expect(new Set(first.map(({ slot }) => slot)).size).toBe(1);
    expect((second[0]?.slot ?? 0n) > (first[0]?.slot ?? 0n)).toBe(true);
    expect(first[0]?.source).toBe('localnet');
    expect(market.readiness.getStatus()).toMatchObject({
      ready: true,
      components: [
        { name: 'rate-poller leader' },
        { name: 'rate-poller log' },
        { name: 'bank-list' },
        { name: 'stake-pool-list' },
        { name: 'rate-poller' },
      ],
    });
    expect(market.fake.reads.filter((method) => method === 'fetchProgramAccounts')).toHaveLength(1 + POOL_LISTINGS);
  });

  it('follows a bank to another feed from the beat after', async () => {
    const market = createMarket();
    market.start();
    await until(() => expect(market.prices(BANK).length).toBeGreaterThan(1));
    market.fake.accounts.set(NEW_FEED, pythContent({ price: 14_000_000_000n }));
    market.fake.accounts.set(BANK, bankContent({ feed: NEW_FEED }));
    await until(() => expect(market.prices(BANK)).toContain('140'));
    const steps = market.prices(BANK).filter((price, at, all) => price !== all[at - 1]);
    expect(steps).toEqual(['150', 'feed_missing', '140']);
    expect(market.prices(BANK).filter((price) => price === 'feed_missing')).toHaveLength(1);
    expect(new Set(market.prices(OTHER))).toEqual(new Set(['150']));
  });

  it('is not ready while the chain does not answer, says so once and goes on after', async () => {
    const market = createMarket();
    market.start();
    await until(() => expect(market.log.published.length).toBeGreaterThan(3));
    let failures = 0;
    market.fake.onRead = () => {
      failures += 1;
      throw new LendingError('DECODE__ACCOUNT_MALFORMED', { message: 'the chain has no clock' });
    };
    await until(() => expect(failures).toBeGreaterThan(2));
    expect(market.readiness.getStatus().ready).toBe(false);
    expect(market.reason()).toBe('DECODE__ACCOUNT_MALFORMED: the chain has no clock');
    expect(market.said('rate.sample.fail')).toMatchObject([{ level: 'warn' }]);
    const { length } = market.log.published;
    market.fake.onRead = () => undefined;
    await until(() => expect(market.log.published.length).toBeGreaterThan(length));
    expect(market.readiness.getStatus().ready).toBe(true);
    expect(market.said('rate.sample.fail')).toHaveLength(1);
    expect(market.said('rate.sample.resume')).toHaveLength(1);
  });

  it('leaves an RPC outage to the line of the endpoint, but is not ready', async () => {
    const market = createMarket();
    market.fake.onRead = () => {
      throw new LendingError('CHAIN__RPC_UNAVAILABLE', { message: 'fake:8899 does not answer' });
    };
    market.start();
    await until(() => expect(market.reason()).toBe('CHAIN__RPC_UNAVAILABLE: fake:8899 does not answer'));
    expect(market.said('rate.sample.fail')).toMatchObject([{ level: 'debug' }]);
  });

  it('keeps samples while the log is down and sends all of them in order, once', async () => {
    const market = createMarket();
    market.log.isDown = true;
    market.start();
    await until(() => expect(market.log.refusals).toBeGreaterThan(2));
    expect(market.reason('rate-poller log')).toMatch(/^BUS__UNAVAILABLE/);
    expect(market.reason()).toBeNull();
    expect(market.said('rate.publish.fail')).toHaveLength(1);
    expect(market.said('rate.sample.fail')).toEqual([]);
    // Reading goes on at its own pace.
    await until(() => expect(market.fake.reads.length).toBeGreaterThan(5));
    expect(market.log.published).toEqual([]);
    const waiting = await gauge(market.metrics, 'rate_outbox_wait');
    expect(waiting).toBeGreaterThanOrEqual(12);
    market.log.isDown = false;
    await until(() => expect(market.log.published.length).toBeGreaterThan(waiting));
    const slots = market.log.published.filter(({ key }) => key === BANK).map(({ slot }) => slot);
    expect(slots).toEqual([...slots].sort((a, b) => Number(a - b)));
    const ids = market.log.published.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    // The first sample read is the first in the log: none was dropped.
    expect(slots[0]).toBe(102n + BigInt(POOL_LISTINGS));
    expect(await gauge(market.metrics, 'rate_outbox_wait')).toBe(0);
  });

  it('counts every sample that reached the log, however late', async () => {
    const market = createMarket();
    market.log.isDown = true;
    const { stop } = market.start();
    await until(() => expect(market.log.refusals).toBeGreaterThan(2));
    expect(await gauge(market.metrics, 'rate_sample_publish_total{venue="p0"}')).toBeNaN();
    market.log.isDown = false;
    await until(() => expect(market.log.published.length).toBeGreaterThan(12));
    await stop();
    const samples = market.log.published.filter(({ type }) => type === 'rate.sampled.v1');
    expect(await gauge(market.metrics, 'rate_sample_publish_total{venue="p0"}')).toBe(samples.length);
  });

  it('gives up the oldest samples when too many wait, and counts them', async () => {
    const market = createMarket();
    market.log.isDown = true;
    market.start({ outboxCapacity: 4 });
    await until(() => expect(market.log.refusals).toBeGreaterThan(2));
    expect(await gauge(market.metrics, 'rate_outbox_wait')).toBe(4);
    expect(await gauge(market.metrics, 'rate_outbox_drop')).toBeGreaterThanOrEqual(8);
  });

  it.each(['has no bank', 'has banks on other venues only'])('says that the group %s', async (what) => {
    const market = createMarket();
    market.fake.accounts.delete(OTHER);
    market.fake.accounts.delete(BANK);
    if (what !== 'has no bank') market.fake.accounts.set(BANK, bankContent({ config: { assetTag: 3 } }));
    market.start();
    await until(() => expect(market.reason()).toMatch(/^CHAIN__BANKS_NOT_FOUND: fake:8899 has no P0 bank of group/));
    for (const part of [GROUP, MARGINFI_PROGRAM, 'P0_GROUP', 'P0_PROGRAM']) expect(market.reason()).toContain(part);
    await until(() => expect(market.fake.reads.length).toBeGreaterThan(2));
    expect(market.said('rate.sample.fail')).toHaveLength(1);
    market.fake.accounts.set(BANK, bankContent());
    await until(() => expect(market.readiness.getStatus().ready).toBe(true));
  });

  it('counts a bank that cannot be read and samples its neighbour', async () => {
    const market = createMarket();
    market.start();
    await until(() => expect(market.log.published.length).toBeGreaterThan(3));
    const { owner, data } = bankContent();
    market.fake.accounts.set(OTHER, { owner, data: data.subarray(0, 1_000) });
    await until(() => expect(market.said('rate.bank.reject').length).toBeGreaterThan(1));
    const { length } = market.prices(BANK);
    await until(() => expect(market.prices(BANK).length).toBeGreaterThan(length));
    expect(market.said('rate.bank.reject')[0]).toMatchObject({ level: 'debug', fields: { bank: OTHER } });
    expect(await gauge(market.metrics, 'rate_bank_reject_total{venue="p0"}')).toBeGreaterThan(1);
    expect(market.readiness.getStatus().ready).toBe(true);
  });

  it('samples every bank while the oracle of one says an absurd time', async () => {
    const market = createMarket();
    market.fake.accounts.set(NEW_FEED, pythContent({ publishTime: 2n ** 63n - 1n }));
    market.fake.accounts.set(BANK, bankContent({ feed: NEW_FEED }));
    market.start();
    await until(() => expect(market.prices(OTHER).length).toBeGreaterThan(2));
    expect(new Set(market.prices(OTHER))).toEqual(new Set(['150']));
    expect(new Set(market.prices(BANK))).toEqual(new Set(['price_out_of_range']));
    expect(market.prices(BANK)).toHaveLength(market.prices(OTHER).length);
    expect(market.readiness.getStatus().ready).toBe(true);
  });

  it.each([-1n, 2n ** 63n - 1n])('is not ready while the clock says %s, and goes on after', async (clock) => {
    const market = createMarket();
    const usual = market.fake.unixTimestamp;
    market.fake.unixTimestamp = clock;
    market.start();
    await until(() => expect(market.reason()).toMatch(/^DECODE__VALUE_OUT_OF_RANGE: .* no time/));
    await until(() => expect(market.fake.reads.length).toBeGreaterThan(3));
    expect(market.log.published).toEqual([]);
    market.fake.unixTimestamp = usual;
    await until(() => expect(market.prices(OTHER).length).toBeGreaterThan(1));
    expect(market.readiness.getStatus().ready).toBe(true);
  });

  it('samples the banks it knows while the group cannot be searched, and says so once', async () => {
    const market = createMarket();
    market.start({ discoveryMs: 20 });
    await until(() => expect(market.log.published.length).toBeGreaterThan(3));
    let failures = 0;
    market.fake.onRead = (method) => {
      if (method !== 'fetchProgramAccounts') return;
      failures += 1;
      throw new LendingError('CHAIN__RPC_INVALID', { message: 'listing is switched off' });
    };
    await until(() => expect(failures).toBeGreaterThan(2));
    const { length } = market.log.published;
    await until(() => expect(market.log.published.length).toBeGreaterThan(length + 8));
    expect(market.readiness.getStatus()).toMatchObject({
      ready: false,
      components: [
        { name: 'rate-poller leader', ready: true },
        { name: 'rate-poller log', ready: true },
        { name: 'bank-list', ready: false, reason: 'CHAIN__RPC_INVALID: listing is switched off' },
        { name: 'stake-pool-list', ready: false, reason: 'CHAIN__RPC_INVALID: listing is switched off' },
        { name: 'rate-poller', ready: true },
      ],
    });
    market.fake.onRead = () => undefined;
    await until(() => expect(market.readiness.getStatus().ready).toBe(true));
    expect(market.said('bank.list.fail')).toHaveLength(1);
    expect(market.said('bank.list.resume')).toHaveLength(1);
    expect(market.said('rate.sample.fail')).toEqual([]);
  });

  it('stops when told to, after the beat at hand', async () => {
    const market = createMarket();
    const { stop } = market.start();
    await until(() => expect(market.log.published.length).toBeGreaterThan(3));
    await stop();
    const { length } = market.log.published;
    expect(length % 6).toBe(0);
    await new Promise((resolve) => setTimeout(resolve, 5 * BEAT_MS));
    expect(market.log.published).toHaveLength(length);
  });
});

describe('runRatePoller on several venues', () => {
  const KAMINO = createMadeAdapter('kamino');
  const SOLEND = createMadeAdapter('solend', anyAddress(702));
  const adapters = [KAMINO, SOLEND];
  const [RESERVE, SAVE_RESERVE, ON_KAMINO] = [anyAddress(21), anyAddress(22), anyAddress(23)];
  const beatMs = { p0: BEAT_MS, kamino: BEAT_MS, solend: BEAT_MS };

  function createVenues() {
    const market = createMarket();
    market.fake.accounts
      .set(RESERVE, madeReserveContent())
      .set(SAVE_RESERVE, { ...madeReserveContent(), owner: anyAddress(702) })
      .set(ON_KAMINO, bankContent({ integrationAcc1: RESERVE, config: { assetTag: 3 } }));
    const samplesOf = (address: string) =>
      market.log.published.filter(({ type, key }) => type === 'rate.sampled.v1' && key === address);
    const ofType = (type: string) => market.log.published.filter((message) => message.type === type);
    /** Fails every read that asks for the account. */
    const failReadsOf = (address: string, failure: Error) => {
      market.fake.onRead = () => {
        if (market.fake.asked.at(-1)?.some((key) => key === address)) throw failure;
      };
    };
    return { ...market, samplesOf, ofType, failReadsOf };
  }

  it('samples P0, every reserve, and the banks on them', async () => {
    const market = createVenues();
    market.start({ adapters, beatMs });
    for (const address of [BANK, OTHER, RESERVE, SAVE_RESERVE, ON_KAMINO])
      await until(() => expect(market.samplesOf(address).length).toBeGreaterThan(2));
    expect(market.samplesOf(RESERVE)[0]?.payload).toMatchObject({ kind: 'reserve', venue: 'kamino', slotMs: '400' });
    expect(market.samplesOf(SAVE_RESERVE)[0]?.payload).toMatchObject({ kind: 'reserve', venue: 'solend' });
    expect(market.samplesOf(ON_KAMINO)[0]?.payload).toMatchObject({
      kind: 'bank',
      venue: 'kamino',
      depositApr: '0.04',
      totalAssetsBase: '1250',
    });
    const [onBank, onReserve] = [market.samplesOf(ON_KAMINO)[0], market.samplesOf(RESERVE)[0]];
    expect(onBank?.slot).toBe(onReserve?.slot);
    expect(
      market
        .ofType('reserve.updated.v1')
        .map(({ key }) => key)
        .sort(),
    ).toEqual([RESERVE, SAVE_RESERVE].sort());
    expect(await gauge(market.metrics, 'rate_sample_publish_total{venue="solend"}')).toBeGreaterThan(2);
    expect(market.readiness.getStatus().ready).toBe(true);
    expect(market.fake.reads.filter((method) => method === 'fetchProgramAccounts')).toHaveLength(3 + POOL_LISTINGS);
  });

  it('follows a bank on a venue to another feed from the beat after', async () => {
    const market = createVenues();
    market.start({ adapters, beatMs });
    await until(() => expect(market.samplesOf(ON_KAMINO).length).toBeGreaterThan(1));
    const moved = { assetTag: 3, oracleSetup: 6, oracleKeys: [NEW_FEED, RESERVE, BANK, BANK, BANK] };
    market.fake.accounts.set(ON_KAMINO, bankContent({ integrationAcc1: RESERVE, config: moved }));
    await until(() => expect(market.fake.asked.at(-1)).toContain(NEW_FEED));
  });

  it('gives each venue a beat of its own', async () => {
    const market = createVenues();
    market.start({ adapters, beatMs: { ...beatMs, kamino: 60_000 } });
    await until(() => expect(market.samplesOf(SAVE_RESERVE).length).toBeGreaterThan(5));
    expect(market.samplesOf(RESERVE)).toHaveLength(1);
    expect(market.samplesOf(ON_KAMINO)).toHaveLength(1);
  });

  it('goes on with all others while one venue is refused, and says which', async () => {
    const market = createVenues();
    market.start({ adapters, beatMs });
    await until(() => expect(market.samplesOf(RESERVE).length).toBeGreaterThan(1));
    market.failReadsOf(RESERVE, new LendingError('CHAIN__RPC_UNAVAILABLE', { message: 'fake:8899 (HTTP 429)' }));
    await until(() => expect(market.reason('rate-poller kamino')).toBe('CHAIN__RPC_UNAVAILABLE: fake:8899 (HTTP 429)'));
    const before = market.samplesOf(RESERVE).length;
    for (const address of [BANK, SAVE_RESERVE]) {
      const { length } = market.samplesOf(address);
      await until(() => expect(market.samplesOf(address).length).toBeGreaterThan(length + 5));
    }
    expect(market.samplesOf(RESERVE)).toHaveLength(before);
    expect([market.reason('rate-poller'), market.reason('rate-poller solend')]).toEqual([null, null]);
    market.fake.onRead = () => undefined;
    await until(() => expect(market.samplesOf(RESERVE).length).toBeGreaterThan(before));
    expect(market.readiness.getStatus().ready).toBe(true);
  });

  it('pauses for longer and longer while a venue is refused', async () => {
    const market = createVenues();
    market.failReadsOf(RESERVE, new LendingError('CHAIN__RPC_UNAVAILABLE'));
    market.start({ adapters, beatMs });
    await until(() => expect(market.samplesOf(BANK).length).toBeGreaterThan(30));
    const asked = (address: string) => market.fake.asked.filter((keys) => keys.some((key) => key === address)).length;
    expect(asked(RESERVE) * 3).toBeLessThan(asked(SAVE_RESERVE));
  });

  it('samples the others while the reserves of one venue cannot be listed', async () => {
    const market = createVenues();
    const failing = { ...KAMINO, discover: () => Promise.reject(new LendingError('CHAIN__RPC_INVALID')) };
    market.start({ adapters: [failing, SOLEND], beatMs });
    await until(() => expect(market.reason('reserve-list kamino')).toMatch(/^CHAIN__RPC_INVALID/));
    await until(() => expect(market.samplesOf(SAVE_RESERVE).length).toBeGreaterThan(3));
    expect(market.samplesOf(RESERVE)).toEqual([]);
    expect(market.reason('reserve-list solend')).toBeNull();
    expect(market.said('reserve.list.fail')).toHaveLength(1);
  });

  it('finds new reserves, while it samples those it knows', async () => {
    const market = createVenues();
    const added = anyAddress(24);
    market.start({ adapters, beatMs, discoveryMs: 20 });
    await until(() => expect(market.samplesOf(RESERVE).length).toBeGreaterThan(1));
    market.fake.accounts.set(added, madeReserveContent());
    await until(() => expect(market.samplesOf(added).length).toBeGreaterThan(1));
  });

  it('leaves out venues that are not to be sampled', async () => {
    const market = createVenues();
    market.start({ adapters, beatMs: { solend: BEAT_MS } });
    await until(() => expect(market.samplesOf(SAVE_RESERVE).length).toBeGreaterThan(2));
    expect(new Set(market.log.published.map(({ key }) => key))).toEqual(new Set([SAVE_RESERVE]));
    expect(market.readiness.getStatus().components.map(({ name }) => name)).toEqual([
      'rate-poller leader',
      'rate-poller log',
      'bank-list',
      'stake-pool-list',
      'reserve-list solend',
      'rate-poller solend',
    ]);
    expect(market.readiness.getStatus().ready).toBe(true);
  });

  it('sets aside what a venue says that cannot be, counts it, and serves none of it', async () => {
    const market = createVenues();
    market.start({ adapters, beatMs });
    await until(() => expect(market.samplesOf(RESERVE).length).toBeGreaterThan(1));
    market.fake.accounts.set(
      RESERVE,
      madeReserveContent({ depositApr: 1_234_567n * 10n ** 18n, depositLimitBase: 1n }),
    );
    await until(() => expect(market.ofType('rate.quarantined.v1').length).toBeGreaterThan(16));
    const nonsense = market.log.published.filter(({ payload }) => JSON.stringify(payload).includes('1234567'));
    expect(nonsense.map(({ type }) => type)).not.toContain('rate.sampled.v1');
    expect(market.ofType('reserve.updated.v1')).toHaveLength(2);
    const aside = market.ofType('rate.quarantined.v1');
    expect(new Set(aside.map(({ key }) => key))).toEqual(new Set([RESERVE, ON_KAMINO]));
    expect(aside[0]?.payload).toMatchObject({ reason: 'rate_out_of_range', venue: 'kamino' });
    const count = 'rate_sample_quarantine_total{venue="kamino",reason="rate_out_of_range"}';
    expect(await gauge(market.metrics, count)).toBeGreaterThanOrEqual(aside.length);
    expect(market.said('rate.sample.doubt').map(({ fields }) => fields.bank)).toEqual([RESERVE, ON_KAMINO]);
    const { length } = market.samplesOf(SAVE_RESERVE);
    await until(() => expect(market.samplesOf(SAVE_RESERVE).length).toBeGreaterThan(length));
    expect(market.readiness.getStatus().ready).toBe(true);
    market.fake.accounts.set(RESERVE, madeReserveContent());
    const { slot } = market.fake;
    await until(() => expect(market.samplesOf(RESERVE).at(-1)?.slot).toBeGreaterThan(slot));
    expect(market.said('rate.sample.believe')).toHaveLength(2);
  });

  it('publishes nothing of a moment when the chain clock jumps, and goes on when it is back', async () => {
    const market = createVenues();
    market.start({ adapters, beatMs: { ...beatMs, p0: 200, kamino: 200, solend: 200 } });
    await until(() => expect(market.samplesOf(RESERVE).length).toBeGreaterThan(0));
    const usual = market.fake.unixTimestamp;
    market.fake.unixTimestamp = usual + 86_400n;
    await until(() => expect(market.ofType('rate.quarantined.v1').length).toBeGreaterThan(4));
    market.fake.unixTimestamp = usual;
    const { slot } = market.fake;
    await until(() => expect(market.samplesOf(RESERVE).at(-1)?.slot).toBeGreaterThan(slot));
    const tomorrow = market.log.published.filter(({ time }) => time.startsWith('2026-04-25'));
    expect(new Set(tomorrow.map(({ type }) => type))).toEqual(new Set(['rate.quarantined.v1']));
  });
});

describe('runRatePoller as one of several', () => {
  it('reads nothing and is ready while another leads, and starts as soon as it leads', async () => {
    const market = createMarket();
    market.become('standby');
    market.start();
    await until(() => expect(market.readiness.getStatus().ready).toBe(true));
    await new Promise((resolve) => setTimeout(resolve, 5 * BEAT_MS));
    expect(market.fake.reads).toEqual([]);
    expect(await gauge(market.metrics, 'rate_leader_hold')).toBe(0);
    market.become('leading');
    await until(() => expect(market.log.published.length).toBeGreaterThan(3));
    expect(await gauge(market.metrics, 'rate_leader_hold')).toBe(1);
  });

  it('is not ready while it is not known who leads, and says what it waits for', async () => {
    const market = createMarket();
    market.become('unknown');
    market.start();
    await until(() => expect(market.reason('rate-poller leader')).toMatch(/the database has not answered/));
    await new Promise((resolve) => setTimeout(resolve, 5 * BEAT_MS));
    expect(market.fake.reads).toEqual([]);
    expect(market.readiness.getStatus().ready).toBe(false);
    market.become('leading');
    await until(() => expect(market.readiness.getStatus().ready).toBe(true));
  });

  it('stops sampling when another leads, and is ready whatever it failed at before', async () => {
    const market = createMarket();
    market.start();
    await until(() => expect(market.log.published.length).toBeGreaterThan(3));
    market.fake.onRead = () => {
      throw new LendingError('CHAIN__RPC_UNAVAILABLE');
    };
    await until(() => expect(market.readiness.getStatus().ready).toBe(false));
    market.become('standby');
    await until(() => expect(market.readiness.getStatus().ready).toBe(true));
    market.fake.onRead = () => undefined;
    const { length } = market.log.published;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(market.log.published).toHaveLength(length);
  });

  it('asks venues for the past of their reserves once it leads, and not before', async () => {
    const market = createMarket();
    market.become('standby');
    const reserve = anyAddress(60);
    market.fake.accounts.set(reserve, madeReserveContent());
    const asked: string[] = [];
    const nothing = { borrowApr: null, utilization: null, totalAssetsBase: null, totalLiabilitiesBase: null };
    const history: VenueHistory = {
      venue: 'kamino',
      interval: '1h',
      windowDays: 30,
      fetchPoints: async ({ address }, { startMs }) => {
        asked.push(address);
        const time = new Date(startMs).toISOString();
        return [{ ...nothing, time, depositApr: '0.05', exchangeRate: null, priceUsd: null }];
      },
    };
    market.start({
      adapters: [createMadeAdapter()],
      beatMs: { p0: BEAT_MS, kamino: BEAT_MS },
      backfill: { histories: [history], days: 1 },
    });
    await new Promise((resolve) => setTimeout(resolve, 5 * BEAT_MS));
    expect(asked).toEqual([]);
    market.become('leading');
    await until(() => expect(market.log.published.map(({ type }) => type)).toContain('rate.backfilled.v1'));
    await until(() =>
      expect(market.said('rate.backfill.finish')).toMatchObject([{ fields: { venue: 'kamino', points: 1 } }]),
    );
    expect(asked).toEqual([reserve]);
  });

  it('stops while it stands by', async () => {
    const market = createMarket();
    market.become('standby');
    const { stop } = market.start();
    await stop();
    expect(market.log.published).toEqual([]);
  });
});

async function gauge(metrics: ReturnType<typeof createMetrics>, name: string): Promise<number> {
  const line = (await metrics.render()).split('\n').find((text) => text.startsWith(`${name} `));
  return Number(line?.split(' ')[1]);
}
