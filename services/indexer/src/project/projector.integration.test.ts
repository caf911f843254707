import { setTimeout as sleep } from 'node:timers/promises';
import { type Batch, type Bus, type ConsumeOptions, createBus } from '@lending/bus';
import { LendingError } from '@lending/errors';
import { encodeMessage, type Message } from '@lending/events';
import { createLineLogger } from '@lending/fakes';
import { createMetrics, createReadiness } from '@lending/runtime';
import { listenProjected } from '@lending/store';
import { useDatabase } from '@lending/store/testing';
import { sql } from 'kysely';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  bankAddress,
  bankRejected,
  bankUpdated,
  messageOf,
  oraclePriced,
  rateBackfilled,
  rateQuarantined,
  rateSampled,
  reserveUpdated,
  swapQuoted,
  timeOfSlot,
} from '#testing/messages.ts';
import { runProjector } from './projector.ts';

const PATIENCE = { timeout: 120_000, interval: 20 };
const [BANK, OTHER, RESERVE] = [bankAddress(1), bankAddress(2), bankAddress(3)];
const database = useDatabase({ per: 'test' });
const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function openBus(): Promise<Bus> {
  const bus = await createBus({
    kind: 'embedded',
    connectionString: database.connectionString,
    heartbeatMs: 100,
    sessionTimeoutMs: 5_000,
  });
  closing.push(() => bus.close());
  return bus;
}

function startProjector(bus: Bus, metrics = createMetrics()) {
  const readiness = createReadiness();
  const { logger, lines } = createLineLogger();
  const stopping = new AbortController();
  const running = runProjector({ bus, store: database.store, logger, metrics, readiness }, stopping.signal);
  const stop = async (): Promise<void> => {
    stopping.abort();
    await running;
  };
  closing.push(stop);
  return { stop, readiness, lines, metrics };
}

/** Resolves when the group stands at the end of every partition of every topic. */
async function untilProjected(): Promise<void> {
  await vi.waitFor(async () => expect(await countUnprojected()).toBe(0), PATIENCE);
}

async function countUnprojected(): Promise<number> {
  const { rows } = await sql<{ behind: number }>`
    select coalesce(sum(p.next_offset - coalesce(o.next_offset, 0)), 0)::integer as behind
    from log_partition p
    left join consumer_offset o on o.topic = p.topic and o.partition = p.partition and o.consumer_group = 'projection'
    where p.topic not like '%.dead.%'
  `.execute(database.db);
  return rows[0]?.behind ?? -1;
}

async function countInLog(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from log_message join log_partition p on p.id = partition_id
    where p.topic not like '%.dead.%'
  `.execute(database.db);
  return rows[0]?.count ?? -1;
}

async function readDeadLetters() {
  const { rows } = await sql<{ topic: string; key: string; value: string; headers: Record<string, string> }>`
    select p.topic, key, value, headers from log_message join log_partition p on p.id = partition_id
    where p.topic like '%.dead.%'
  `.execute(database.db);
  return rows;
}

async function readTables() {
  const { db } = database;
  return {
    banks: await db.selectFrom('bank').selectAll().orderBy('address').execute(),
    rejections: await db.selectFrom('bank_rejection').selectAll().orderBy('bank').execute(),
    samples: await db
      .selectFrom('rate_sample')
      .innerJoin('rate_series', 'rate_series.id', 'rate_sample.series')
      .selectAll('rate_sample')
      .select(['address as bank', 'kind', 'venue', 'source'])
      .orderBy('address')
      .orderBy('slot')
      .execute(),
    reserves: await db.selectFrom('reserve').selectAll().orderBy('address').execute(),
    limits: await db.selectFrom('bank_limit_change').selectAll().orderBy('address').orderBy('slot').execute(),
    quarantine: await db
      .selectFrom('rate_quarantine')
      .select(['address', 'slot', 'reason', 'time', 'venue', 'detail', 'source'])
      .orderBy('address')
      .orderBy('slot')
      .execute(),
    hours: await db.selectFrom('rate_hour').selectAll().orderBy('series').orderBy('bucket').execute(),
    prices: await db.selectFrom('oracle_price').selectAll().orderBy('bank').execute(),
    swaps: await db.selectFrom('swap_quote').selectAll().orderBy('in_mint').orderBy('out_mint').execute(),
  };
}

/** Bank and slot of every sample in the log and in the table; equal when nothing was lost. */
async function compareSamples() {
  const { rows: logged } = await sql<{ id: string }>`
    select distinct value::json->>'key' || ':' || (value::json->>'slot') as id
    from log_message join log_partition p on p.id = partition_id where p.topic = 'rate.sampled.v1' order by id
  `.execute(database.db);
  const { rows: written } = await sql<{ id: string }>`
    select address || ':' || slot as id from rate_sample join rate_series on id = series order by 1
  `.execute(database.db);
  return { logged: logged.map(({ id }) => id), written: written.map(({ id }) => id) };
}

async function countHandled(metrics: ReturnType<typeof createMetrics>): Promise<number> {
  const counter = metrics.counter({ name: 'project.message.write', help: '', labels: ['topic'] });
  return (await counter.get()).values.reduce((sum, { value }) => sum + value, 0);
}

function samples(firstSlot: number, count: number): Message[] {
  return Array.from({ length: count }, (_, index) => rateSampled(bankAddress(index % 12), BigInt(firstSlot + index)));
}

describe('runProjector', () => {
  it('turns messages of every topic into rows', async () => {
    const bus = await openBus();
    await bus.publish([
      bankUpdated(BANK, 10n),
      bankRejected(OTHER, 11n, 'account_malformed'),
      rateSampled(BANK, 12n),
      oraclePriced(BANK, 13n),
      reserveUpdated(RESERVE, 14n),
      rateQuarantined(RESERVE, 15n),
      rateBackfilled(RESERVE, 16n),
      swapQuoted(OTHER, 17n),
    ]);
    startProjector(bus);
    await untilProjected();
    const at = (slot: bigint) => ({ source: 'localnet', slot, slot_time: new Date(timeOfSlot(slot)) });
    expect(await readTables()).toEqual({
      banks: [
        {
          address: BANK,
          group_address: bankAddress(900),
          venue: 'p0',
          mint: bankAddress(901),
          decimals: 6,
          token_program: 'spl',
          symbol: 'USDC',
          asset_tag: 0,
          operational_state: 'Operational',
          risk_tier: 'Collateral',
          asset_weight_init: '0.8',
          asset_weight_maint: '0.9',
          liability_weight_init: '1.25',
          liability_weight_maint: '1.1',
          deposit_limit_base: '18446744073709551614',
          borrow_limit_base: null,
          total_asset_value_init_limit_usd: '250000',
          origination_fee: '0.000000000000003552713678800500929355621337890625',
          flags: '9223372036854775809',
          emode: {
            tag: 57,
            entries: [{ collateralTag: 501, assetWeightInit: '0.9', assetWeightMaint: '0.95' }],
            sameAsset: null,
          },
          oracle_setup: 'PythPushOracle',
          oracle_key: bankAddress(902),
          oracle_max_age_seconds: 70,
          rate_curve: [
            { utilization: '0', baseApr: '0' },
            { utilization: '1', baseApr: '3' },
          ],
          venue_account: null,
          ...at(10n),
        },
      ],
      rejections: [{ bank: OTHER, reason: 'account_malformed', ...at(11n) }],
      samples: [
        {
          bank: BANK,
          kind: 'bank',
          venue: 'p0',
          series: expect.any(Number),
          slot: 12n,
          time: new Date(timeOfSlot(12n)),
          deposit_apr: '0.031',
          borrow_apr: '0.052',
          native_apr: '0.07',
          emissions_deposit_apr: '0.01',
          emissions_borrow_apr: null,
          utilization: '0.75',
          total_assets_base: '340282366920938463463374607431768211455',
          total_liabilities_base: '750',
          available_liquidity_base: '250',
          asset_share_value: '1.000000000000003552713678800500929355621337890625',
          liability_share_value: '1.2',
          exchange_rate: '1.168758172839506172',
          native_exchange_rate: null,
          slot_ms: '392.5',
          price_usd: '0.9998',
          source: 'localnet',
        },
      ],
      reserves: [
        {
          address: RESERVE,
          venue: 'kamino',
          market: bankAddress(910),
          market_name: 'Main Market',
          receipt_mint: bankAddress(912),
          mint: bankAddress(901),
          decimals: 6,
          symbol: 'USDC',
          status: 'restricted',
          status_reasons: ['borrow_limit_zero'],
          deposit_limit_base: '18446744073709551614',
          deposit_room_base: '0',
          borrow_limit_base: '0',
          borrow_room_base: '0',
          withdraw_room_base: '12345',
          price_usd: '0.9997',
          price_time: new Date('2026-11-20T23:59:57Z'),
          incentives: [{ side: 'deposit', mint: bankAddress(911), amountPerYearBase: '1000000', decimals: 9 }],
          ...at(14n),
        },
      ],
      limits: expect.toSatisfy((rows: unknown[]) => rows.length === 2),
      quarantine: [
        {
          address: RESERVE,
          slot: 15n,
          reason: 'rate_out_of_range',
          time: new Date(timeOfSlot(15n)),
          venue: 'solend',
          detail: 'a deposit APR of 1e9',
          source: 'localnet',
        },
      ],
      hours: [expect.objectContaining({ source: 'backfill_venue_api', deposit_apr: '0.03', exchange_rate: '1.1' })],
      prices: [
        {
          bank: BANK,
          oracle: bankAddress(902),
          setup: 'PythPushOracle',
          price_usd: '145.123456789012345678',
          price_low_usd: '145.1',
          price_high_usd: '145.2',
          ema_price_usd: '144.9',
          publish_time: new Date('2026-11-20T23:59:58Z'),
          reason: null,
          ...at(13n),
        },
      ],
      swaps: [
        {
          in_mint: OTHER,
          out_mint: bankAddress(950),
          in_decimals: 6,
          out_decimals: 9,
          in_price_usd: '0.9998',
          out_price_usd: '145.123456789012345678',
          rungs: [
            { inBase: '1000200040', outBase: '6889999999', aggregator: 'jupiter' },
            { inBase: '10002000400', outBase: '68000000000', aggregator: 'dflow' },
          ],
          ladder_end: 'impact',
          ...at(17n),
        },
      ],
    });
  });

  it('keeps what is not known as null', async () => {
    const bus = await openBus();
    const nothing = { depositApr: null, borrowApr: null, utilization: null, totalAssetsBase: null, priceUsd: null };
    await bus.publish([
      bankUpdated(BANK, 1n, {
        venue: 'kamino',
        tokenProgram: null,
        symbol: null,
        depositLimit: null,
        borrowLimit: '0',
        totalAssetValueInitLimitUsd: null,
        oracle: { setup: 'KaminoPythPush', key: null, maxAgeSeconds: 0 },
        venueAccount: OTHER,
      }),
      rateSampled(BANK, 1n, { ...nothing, totalLiabilitiesBase: null, availableLiquidityBase: null }),
      oraclePriced(BANK, 1n, {
        oracle: null,
        priceUsd: null,
        priceLowUsd: null,
        priceHighUsd: null,
        emaPriceUsd: null,
        publishTime: null,
        reason: 'venue_not_decoded',
      }),
    ]);
    startProjector(bus);
    await untilProjected();
    const { banks, samples: rows, prices } = await readTables();
    expect(banks).toMatchObject([
      {
        venue: 'kamino',
        token_program: null,
        symbol: null,
        deposit_limit_base: null,
        borrow_limit_base: '0',
        total_asset_value_init_limit_usd: null,
        oracle_key: null,
        venue_account: OTHER,
      },
    ]);
    expect(rows).toMatchObject([
      {
        deposit_apr: null,
        borrow_apr: null,
        utilization: null,
        total_assets_base: null,
        total_liabilities_base: null,
        available_liquidity_base: null,
        price_usd: null,
      },
    ]);
    expect(prices).toMatchObject([
      {
        oracle: null,
        price_usd: null,
        price_low_usd: null,
        price_high_usd: null,
        ema_price_usd: null,
        publish_time: null,
        reason: 'venue_not_decoded',
      },
    ]);
  });

  it('changes nothing when the same messages come again', async () => {
    const bus = await openBus();
    startProjector(bus);
    const messages = [
      bankUpdated(BANK, 10n),
      bankRejected(OTHER, 10n),
      rateSampled(BANK, 10n),
      oraclePriced(BANK, 10n),
      reserveUpdated(RESERVE, 10n),
      rateQuarantined(RESERVE, 10n),
      rateBackfilled(RESERVE, 10n),
      swapQuoted(OTHER, 10n),
    ];
    await bus.publish(messages);
    await untilProjected();
    const once = await readTables();
    expect(once.samples).toHaveLength(1);
    await bus.publish(messages);
    await bus.publish([...messages, ...messages]);
    await untilProjected();
    expect(await countInLog()).toBe(32);
    expect(await readTables()).toEqual(once);
  });

  it.each(['in one batch', 'in batches of their own'])(
    'keeps the newest slot of a bank and its price when an older one follows %s',
    async (how) => {
      const bus = await openBus();
      if (how !== 'in one batch') startProjector(bus);
      for (const [slot, word, price] of [
        [20n, 'newer', '2'],
        [19n, 'older', '1'],
      ] as const) {
        await bus.publish([
          bankUpdated(BANK, slot, { symbol: word }),
          oraclePriced(BANK, slot, { priceUsd: price }),
          swapQuoted(OTHER, slot, { inPriceUsd: price }),
        ]);
        if (how !== 'in one batch') await untilProjected();
      }
      if (how === 'in one batch') startProjector(bus);
      await untilProjected();
      expect(await readTables()).toMatchObject({
        banks: [{ symbol: 'newer', slot: 20n, slot_time: new Date(timeOfSlot(20n)) }],
        prices: [{ price_usd: '2', slot: 20n }],
        swaps: [{ in_price_usd: '2', slot: 20n }],
      });
      await bus.publish([bankUpdated(BANK, 21n, { symbol: 'newest' }), oraclePriced(BANK, 21n, { priceUsd: '3' })]);
      await untilProjected();
      expect(await readTables()).toMatchObject({
        banks: [{ symbol: 'newest', slot: 21n }],
        prices: [{ price_usd: '3', slot: 21n }],
      });
    },
  );

  it.each([
    { order: 'updated 10, rejected 11', rejected: 11n, bank: 10n },
    { order: 'rejected 11, updated 10', rejected: 11n, bank: 10n },
    { order: 'updated 11, rejected 10', rejected: null, bank: 11n },
    { order: 'rejected 10, updated 11', rejected: null, bank: 11n },
    { order: 'updated 10, rejected 10', rejected: null, bank: 10n },
    { order: 'rejected 10, updated 10', rejected: null, bank: 10n },
    { order: 'updated 10, rejected 12, updated 11', rejected: 12n, bank: 11n },
    { order: 'rejected 12, rejected 11', rejected: 12n, bank: null },
    { order: 'updated 10, rejected 11, updated 12, rejected 11', rejected: null, bank: 12n },
  ])('believes the later slot: $order', async ({ order, rejected, bank }) => {
    const bus = await openBus();
    startProjector(bus);
    for (const step of order.split(', ')) {
      const [word, slot] = step.split(' ') as ['updated' | 'rejected', string];
      await bus.publish([word === 'updated' ? bankUpdated(BANK, BigInt(slot)) : bankRejected(BANK, BigInt(slot))]);
      await untilProjected();
    }
    const { banks, rejections } = await readTables();
    expect(banks.map(({ slot }) => slot)).toEqual(bank === null ? [] : [bank]);
    expect(rejections.map(({ slot }) => slot)).toEqual(rejected === null ? [] : [rejected]);
  });

  it.each<{ name: string; bad: (bank: string) => Message; reason: string }>([
    {
      name: 'an integer beyond its column',
      bad: (bank) => bankUpdated(bank, 5n, { oracle: { setup: 'Fixed', key: null, maxAgeSeconds: 2 ** 31 } }),
      reason: 'out of range for type integer',
    },
    {
      name: 'text that Postgres cannot hold',
      bad: (bank) => bankUpdated(bank, 5n, { symbol: 'US\0DC' }),
      reason: 'invalid byte sequence',
    },
    {
      name: 'a slot beyond bigint',
      bad: (bank) => ({ ...rateSampled(bank, 5n), slot: 2n ** 63n }),
      reason: 'out of range for type bigint',
    },
    {
      name: 'a decimal beyond numeric',
      bad: (bank) => oraclePriced(bank, 5n, { priceUsd: '9'.repeat(140_000) }),
      reason: 'overflow',
    },
    {
      name: 'a time that Postgres does not know',
      bad: (bank) => ({ ...rateSampled(bank, 5n), time: '0000-01-01T00:00:00Z' }),
      reason: 'out of range',
    },
    {
      name: 'a reason with a NUL',
      bad: (bank) => oraclePriced(bank, 5n, { reason: 'bad \0 byte' }),
      reason: 'invalid byte sequence',
    },
  ])('sets $name aside with its reason and writes its neighbours', async ({ bad: makeBad, reason }) => {
    const bus = await openBus();
    const bad = makeBad(bankAddress(15));
    const message = (bank: string, slot: bigint): Message => messageOf(bad.type, bank, slot);
    const good = Array.from({ length: 30 }, (_, nth) => message(bankAddress(100 + nth), 5n));
    await bus.publish([...good.slice(0, 15), bad, ...good.slice(15)]);
    const { metrics, lines, stop } = startProjector(bus);
    await untilProjected();
    const { banks, rejections, samples: rows, prices } = await readTables();
    expect([...banks, ...rejections, ...rows, ...prices]).toHaveLength(30);
    const dead = await readDeadLetters();
    expect(dead).toHaveLength(1);
    expect(dead[0]).toMatchObject({
      topic: bad.type.replace('.v1', '.dead.v1'),
      key: bad.key,
      value: encodeMessage(bad),
      headers: { topic: bad.type, reason: expect.stringContaining('STORE__ROW_INVALID') },
    });
    expect(dead[0]?.headers.reason).toContain(reason);
    expect(lines.filter(({ level }) => level === 'warn')).toEqual([]);

    await stop();
    startProjector(bus, metrics);
    await bus.publish([message(OTHER, 6n)]);
    await untilProjected();
    expect(await readDeadLetters()).toHaveLength(1);
  });

  it('neither loses nor doubles when it is stopped in the middle and started again', async () => {
    const bus = await openBus();
    const metrics = createMetrics();
    let projector = startProjector(bus, metrics);
    let published = 0;
    const publishing = (async () => {
      for (; published < 6_000; published += 100) await bus.publish(samples(published, 100));
    })();
    let stops = 0;
    while (published < 6_000 || stops < 4) {
      await projector.stop();
      stops += 1;
      projector = startProjector(bus, metrics);
      await sleep(40);
    }
    await publishing;
    await untilProjected();
    const { logged, written } = await compareSamples();
    expect(logged).toHaveLength(6_000);
    expect(written).toEqual(logged);
    expect(await countHandled(metrics)).toBe(6_000);
  });

  it('neither loses nor doubles while projectors come and go', async () => {
    const metrics = createMetrics();
    const [first, second] = [await openBus(), await openBus()];
    const one = startProjector(first, metrics);
    for (let slot = 0; slot < 2_000; slot += 100) await first.publish(samples(slot, 100));
    const two = startProjector(second, metrics);
    for (let slot = 2_000; slot < 4_000; slot += 50) await first.publish(samples(slot, 50));
    await one.stop();
    for (let slot = 4_000; slot < 6_000; slot += 100) await first.publish(samples(slot, 100));
    await untilProjected();
    const { logged, written } = await compareSamples();
    expect(logged).toHaveLength(6_000);
    expect(written).toEqual(logged);
    expect(await countHandled(metrics)).toBe(6_000);
    for (const { lines } of [one, two]) expect(lines.filter(({ level }) => level === 'warn')).toEqual([]);
  });

  it('refuses a batch that another projector has handled meanwhile, and calls it no fault', async () => {
    const { bus, consumers } = createHandingBus();
    const metrics = createMetrics();
    const [one, two] = [startProjector(bus, metrics), startProjector(bus, metrics)];
    await vi.waitFor(() => expect(consumers).toHaveLength(2), PATIENCE);
    await consumers[0]?.handle(sampleBatch(0, 10));
    await expect(consumers[1]?.handle(sampleBatch(0, 12))).rejects.toMatchObject({ code: 'BUS__OFFSET_MISMATCH' });
    expect((await readTables()).samples).toHaveLength(10);
    expect(await countHandled(metrics)).toBe(10);
    await consumers[1]?.handle(sampleBatch(10, 2));
    expect((await readTables()).samples).toHaveLength(12);
    for (const { lines, readiness } of [one, two]) {
      expect(lines).toEqual([]);
      expect(readiness.getStatus().ready).toBe(true);
    }
  });

  it('hands a batch back when the database fails, says so once and recovers with the next', async () => {
    const { bus, consumers } = createHandingBus();
    const { lines, readiness } = startProjector(bus);
    await vi.waitFor(() => expect(consumers).toHaveLength(1), PATIENCE);
    await consumers[0]?.handle(sampleBatch(0, 1));
    for (const _ of ['once', 'twice']) await expectLostBatch(consumers[0] as ConsumeOptions);
    expect(readiness.getStatus().components[0]?.reason).toMatch(/^STORE__UNAVAILABLE/);
    expect(lines.map(({ event }) => event)).toEqual(['project.batch.fail']);
    await consumers[0]?.handle(sampleBatch(1, 1));
    expect((await readTables()).samples).toHaveLength(2);
    expect(readiness.getStatus().ready).toBe(true);
    expect(lines.map(({ event }) => event)).toEqual(['project.batch.fail', 'project.batch.resume']);
  });

  it('is not ready while one partition fails, however well another does', async () => {
    const { bus, consumers } = createHandingBus();
    const { lines, readiness } = startProjector(bus);
    await vi.waitFor(() => expect(consumers).toHaveLength(1), PATIENCE);
    const consumer = consumers[0] as ConsumeOptions;
    await consumer.handle(sampleBatch(0, 1));
    await expectLostBatch(consumer);
    const message = bankUpdated(BANK, 1n);
    await consumer.handle({
      group: 'projection',
      topic: 'bank.updated.v1',
      partition: 0,
      messages: [{ message, offset: 0n }],
      fromOffset: 0n,
      nextOffset: 1n,
    });
    expect((await readTables()).banks).toHaveLength(1);
    expect(readiness.getStatus().components[0]?.reason).toMatch(/^STORE__UNAVAILABLE/);
    expect(lines.map(({ event }) => event)).toEqual(['project.batch.fail']);
    await consumer.handle(sampleBatch(1, 1));
    expect(readiness.getStatus().ready).toBe(true);
    expect(lines.map(({ event }) => event)).toEqual(['project.batch.fail', 'project.batch.resume']);
  });

  it('leaves the group before it is done', async () => {
    const { bus, consumers, stopped } = createHandingBus();
    const { stop } = startProjector(bus);
    await vi.waitFor(() => expect(consumers).toHaveLength(1), PATIENCE);
    expect(stopped).toEqual([]);
    await stop();
    expect(stopped).toEqual(consumers);
  });

  it('moves past a batch of which nothing could be decoded', async () => {
    const { bus, consumers } = createHandingBus();
    startProjector(bus);
    await vi.waitFor(() => expect(consumers).toHaveLength(1), PATIENCE);
    const partition = { topic: 'rate.sampled.v1', partition: 3 } as const;
    await consumers[0]?.handle({ group: 'projection', ...partition, messages: [], fromOffset: 0n, nextOffset: 7n });
    expect(await consumers[0]?.startFrom([partition])).toEqual(new Map([['rate.sampled.v1/3', 7n]]));
  });

  it('waits for a log that is not there, says so once, and stops meanwhile when told to', async () => {
    const { bus, consumers, refuse } = createHandingBus();
    refuse(2);
    const { lines, readiness } = startProjector(bus);
    await vi.waitFor(() => expect(readiness.getStatus().components[0]?.reason).toMatch(/^BUS__UNAVAILABLE/), PATIENCE);
    await vi.waitFor(() => expect(consumers).toHaveLength(1), PATIENCE);
    await vi.waitFor(() => expect(readiness.getStatus().ready).toBe(true), PATIENCE);
    expect(lines.map(({ event }) => event)).toEqual(['project.batch.fail', 'project.batch.resume']);
    refuse(1_000);
    const waiting = startProjector(bus);
    await vi.waitFor(() => expect(waiting.lines).toHaveLength(1), PATIENCE);
    await waiting.stop();
    expect(consumers).toHaveLength(1);
  });

  it('goes on by itself after every session of the database was killed', async () => {
    const bus = await openBus();
    const { readiness } = startProjector(bus);
    const publish = async (messages: readonly Message[]): Promise<void> => {
      await bus.publish(messages).catch(() => publish(messages));
    };
    let killed = 0;
    for (let slot = 0; slot < 4_000; slot += 100) {
      const publishing = publish(samples(slot, 100));
      if (slot % 1_000 === 500) killed += await killSessions();
      await publishing;
    }
    // At least one each time; how many are open at a moment is chance.
    expect(killed).toBeGreaterThanOrEqual(4);
    await untilProjected();
    const { logged, written } = await compareSamples();
    expect(logged).toHaveLength(4_000);
    expect(written).toEqual(logged);
    expect(await readDeadLetters()).toEqual([]);
    expect(readiness.getStatus().ready).toBe(true);
  });

  it('notifies once for a batch, when its rows are there', async () => {
    const bus = await openBus();
    const heard: string[] = [];
    const rowsThen: Promise<number>[] = [];
    const listening = Promise.withResolvers<void>();
    const listener = listenProjected({
      connectionString: database.connectionString,
      onListening: listening.resolve,
      onProjected: ({ topic }) => {
        heard.push(topic);
        // Only this topic's: a query begun at the last notification would outlive the test and its database.
        if (topic === 'rate.sampled.v1') rowsThen.push(compareSamples().then(({ written }) => written.length));
      },
    });
    closing.push(() => listener.stop());
    await listening.promise;
    await bus.publish(Array.from({ length: 40 }, (_, slot) => rateSampled(BANK, BigInt(slot))));
    startProjector(bus);
    await untilProjected();
    await vi.waitFor(() => expect(heard).toEqual(['rate.sampled.v1']), PATIENCE);
    expect(await Promise.all(rowsThen)).toEqual([40]);
    await bus.publish([bankUpdated(BANK, 1n), oraclePriced(BANK, 1n), bankRejected(OTHER, 1n)]);
    await untilProjected();
    const rest = ['bank.rejected.v1', 'bank.updated.v1', 'oracle.priced.v1'];
    await vi.waitFor(() => expect(heard.slice(1).sort()).toEqual(rest), PATIENCE);
  });
});

function sampleBatch(fromOffset: number, count: number): Batch {
  return {
    group: 'projection',
    topic: 'rate.sampled.v1',
    partition: 0,
    messages: samples(fromOffset, count).map((message, nth) => ({ message, offset: BigInt(fromOffset + nth) })),
    fromOffset: BigInt(fromOffset),
    nextOffset: BigInt(fromOffset + count),
  };
}

/** A log that hands over what the test hands it, and can refuse to let consumers in. */
function createHandingBus() {
  const consumers: ConsumeOptions[] = [];
  const stopped: ConsumeOptions[] = [];
  let refusals = 0;
  const unused = (): never => {
    throw new Error('not part of this test');
  };
  const bus: Bus = {
    async consume(options) {
      refusals -= 1;
      if (refusals >= 0) throw new LendingError('BUS__UNAVAILABLE');
      consumers.push(options);
      return { stop: async () => void stopped.push(options) };
    },
    publish: unused,
    readExtents: unused,
    countDead: unused,
    bury: unused,
    close: unused,
  };
  const refuse = (times: number): void => {
    refusals = times;
  };
  return { bus, consumers, stopped, refuse };
}

/** Hands over a batch and cuts the session that writes it, which waits for a lock meanwhile. */
async function expectLostBatch(consumer: ConsumeOptions): Promise<void> {
  await database.db.transaction().execute(async (locking) => {
    await sql`lock table rate_sample`.execute(locking);
    const handled = expect(consumer.handle(sampleBatch(1, 1))).rejects.toMatchObject({ code: 'STORE__UNAVAILABLE' });
    await vi.waitFor(async () => {
      const { rows } = await sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'
      `.execute(database.db);
      expect(rows).not.toEqual([]);
    }, PATIENCE);
    await handled;
  });
}

async function killSessions(): Promise<number> {
  const { rows } = await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()
  `.execute(database.db);
  return rows.length;
}
