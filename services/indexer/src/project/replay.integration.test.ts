import { type Bus, type BusConfig, createBus, partitionKey } from '@lending/bus';
import type { Message } from '@lending/events';
import { createLineLogger } from '@lending/fakes';
import { createMetrics, createReadiness } from '@lending/runtime';
import { readOffsets, requestFollow } from '@lending/store';
import { useDatabase } from '@lending/store/testing';
import { isKafkaMissing, KAFKA_NEEDS, type KafkaBroker, startKafkaBroker } from '@lending/testing';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  accountUpdated,
  activityRecorded,
  addressFollowed,
  bankAddress,
  bankAudited,
  bankMeasured,
  bankRejected,
  bankUpdated,
  forkDropped,
  groupChanged,
  indexProgressed,
  oraclePriced,
  orderUpdated,
  rateBackfilled,
  rateQuarantined,
  rateSampled,
  rebalanceUpdated,
  reserveUpdated,
  slotFinalized,
  swapQuoted,
  walletUpdated,
} from '#testing/messages.ts';
import { createRandom } from '#testing/random.ts';
import { PROJECTED_TOPICS, PROJECTION_GROUP, runProjector } from './projector.ts';
import { replay } from './replay.ts';
import { rollUpAll } from './roll-up.ts';

const PATIENCE = { timeout: 120_000, interval: 50 };
const TIMEOUT = 120_000;
const database = useDatabase({ per: 'test' });
const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Three hours of slots. */
const LATEST = 21_600n;
const FOLLOWED = [0, 1].map((nth) => bankAddress(700 + nth));

/** What happens between two slots, of every topic; each address has its messages in the order of slots. */
function happenings(from: bigint, to: bigint, random: () => number): readonly Message[] {
  const pick = (count: number): number => Math.floor(random() * count);
  const slots = Array.from({ length: 160 }, () => from + BigInt(Math.floor(random() * Number(to - from)))).sort(
    (a, b) => (a < b ? -1 : 1),
  );
  return slots.flatMap((slot, nth) => {
    const account = bankAddress(300 + pick(8));
    const bank = bankAddress(1 + pick(4));
    const reserve = bankAddress(20 + pick(3));
    const others: readonly (() => Message)[] = [
      () => bankUpdated(bank, slot, { depositLimit: `${pick(3)}`, symbol: `S${nth}` }),
      () => bankRejected(bank, slot),
      () => oraclePriced(bank, slot, { priceUsd: `${nth}.5` }),
      () => reserveUpdated(reserve, slot, { borrowLimit: `${pick(3)}` }),
      () => rateQuarantined(reserve, slot, { detail: `the ${nth}th` }),
      () =>
        rateBackfilled(reserve, slot, {
          points: [{ ...POINT, time: `2026-11-0${1 + pick(8)}T0${pick(9)}:00:00.000Z` }],
        }),
      () => bankAudited(bank, slot, { figure: ['rates', 'health'][pick(2)] ?? '', compared: `${nth}` }),
      () => bankMeasured(bank, slot, { vaultBase: `${nth}` }),
      () => swapQuoted(bankAddress(800 + pick(2)), slot, { outMint: bankAddress(800 + pick(3)), inPriceUsd: `${nth}` }),
      () => walletUpdated(bankAddress(400 + pick(4)), slot, { lamports: `${nth}` }),
      () => orderUpdated(bankAddress(500 + pick(4)), account, slot, pick(4) === 0 ? null : {}),
      () => rebalanceUpdated(bankAddress(510 + pick(4)), account, slot, pick(4) === 0 ? null : {}),
      () => groupChanged(bank, slot, nth + Number(from)),
      () => indexProgressed(`activity:${pick(4)}`, slot, { done: nth }),
      () => addressFollowed(FOLLOWED[pick(2)] ?? '', slot, { accounts: [account] }),
    ];
    const activity = activityRecorded(account, slot, nth + Number(from), { kind: 'repay' });
    const ending = [slotFinalized(slot + 1n, slot, [slot]), forkDropped(slot + 1n, [slot])][pick(3)];
    return [
      rateSampled(bank, slot, { depositApr: `0.0${1 + pick(9)}` }),
      accountUpdated(
        account,
        slot,
        pick(9) === 0
          ? null
          : { authority: bankAddress(600 + pick(5)), liquidationTaggedAt: [null, '50', '60'][pick(3)] ?? null },
      ),
      activity,
      ...(ending === undefined ? [] : [ending]),
      others[pick(others.length)]?.() ?? activity,
    ];
  });
}

const POINT = {
  depositApr: '0.03',
  borrowApr: '0.05',
  utilization: '0.6',
  totalAssetsBase: '100',
  totalLiabilitiesBase: '60',
  exchangeRate: '1.1',
  priceUsd: '1',
} as const;

async function openBus(config: Pick<BusConfig & { kind: 'kafka' }, 'kind' | 'brokers'> | null = null): Promise<Bus> {
  const { connectionString } = database;
  const log = config ?? ({ kind: 'embedded', connectionString } as const);
  const bus = await createBus({ ...log, heartbeatMs: 100, sessionTimeoutMs: 10_000 });
  closing.push(() => bus.close());
  return bus;
}

function partsOf(bus: Bus) {
  const { logger } = createLineLogger();
  return { bus, store: database.store, logger, metrics: createMetrics(), readiness: createReadiness() };
}

function startProjector(bus: Bus): () => Promise<void> {
  const stopping = new AbortController();
  // No next tip comes here, which would take one along that the tables had not reached.
  const running = runProjector({ ...partsOf(bus), tipsAtOnce: true }, stopping.signal);
  const stop = async (): Promise<void> => {
    stopping.abort();
    await running;
  };
  closing.push(stop);
  return stop;
}

/** Resolves when the group stands at the end of every partition. */
async function untilProjected(bus: Bus): Promise<void> {
  await vi.waitFor(async () => {
    const extents = await bus.readExtents(PROJECTED_TOPICS);
    const offsets = await readOffsets(database.store, PROJECTION_GROUP, extents);
    const behind = extents.filter((extent) => extent.next > (offsets.get(partitionKey(extent)) ?? 0n));
    expect(behind).toEqual([]);
  }, PATIENCE);
}

async function projectAll(bus: Bus): Promise<void> {
  const stop = startProjector(bus);
  await untilProjected(bus);
  await stop();
  await rollUpAll(partsOf(bus), new AbortController().signal);
}

/** Every row of every table, in order; without the log itself and the time at which an offset moved. */
async function dump(): Promise<Readonly<Record<string, readonly string[]>>> {
  const { rows: tables } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace
      and relname not like 'log\\_%' and relname <> 'schema_migration'
    order by relname
  `.execute(database.db);
  const contents: Record<string, readonly string[]> = {};
  for (const { name } of tables) {
    const { rows } = await sql<{ row: string }>`
      select (to_jsonb(t) - 'updated_at')::text as row from ${sql.table(name)} as t order by 1
    `.execute(database.db);
    contents[name] = rows.map(({ row }) => row);
  }
  return contents;
}

/** Tables that no message is a row of: a list of work, which is done, what the indexer notes at its start, what the api keeps of callers. */
const UNFED = [
  'rate_roll_up_due',
  'chain_identity',
  'plan',
  'idempotency_key',
  'rate_window',
  'caller',
  'access_token',
  'conversation',
  'conversation_entry',
  'consumer_lag',
  'dead_topic',
  'source_status',
  'venue_beat',
];

/** Tables that hold what happened in the early half, of which the log has nothing any more, and in the later half. */
async function prepare(seed = 1) {
  const random = createRandom(seed);
  const bus = await openBus();
  for (const address of FOLLOWED) await requestFollow(database.db, { address, aspect: 'accounts', maxFollowed: 10 });
  await bus.publish(happenings(0n, LATEST / 2n, random));
  await projectAll(bus);
  await sql`delete from log_message`.execute(database.db);
  await bus.publish(happenings(LATEST / 2n, LATEST, random));
  await projectAll(bus);
  const before = await dump();
  for (const [table, rows] of Object.entries(before)) {
    if (!UNFED.includes(table)) expect(rows.length, table).toBeGreaterThan(0);
  }
  return { bus, before, random };
}

const run = (bus: Bus, say: (line: string) => void = () => undefined, signal = new AbortController().signal) =>
  replay({ ...partsOf(bus), say }, signal);

/** Spoils what the later half wrote: rows changed, gone, and newer than they can be. */
async function damage(): Promise<void> {
  const middle = LATEST / 2n;
  for (const statement of [
    // Whose a closed account was is known from before.
    `update account set authority = case when is_closed then authority else 'damaged' end, flags = 7, slot = slot + 1000000
     where slot >= ${middle}`,
    `delete from balance where account in (select address from account where flags = 7 order by address limit 4)`,
    `update activity set kind = 'borrow', fee_lamports = 1 where slot >= ${middle} and slot % 2 = 0`,
    `delete from activity where slot >= ${middle} and slot % 3 = 0`,
    `update activity_leg set amount_base = 1 where slot >= ${middle} and slot % 5 = 0`,
    `update slot_finality set finality = 'confirmed' where slot >= ${middle} and slot % 2 = 0 and finality <> 'confirmed'`,
    `update rate_sample set deposit_apr = 9 where slot >= ${middle} and slot % 2 = 0`,
    `delete from rate_sample where slot >= ${middle} and slot % 3 = 0`,
    `update rate_hour set deposit_apr = 9 where slot_last > ${middle} and source = 'poller'`,
    `update bank set symbol = 'BAD', slot = slot + 1000000 where slot >= ${middle}`,
    `update reserve set status = 'closed', slot = slot + 1000000 where slot >= ${middle}`,
    `update bank_limit_change set deposit_limit_base = 77 where slot >= ${middle}`,
    `update oracle_price set price_usd = 0, slot = slot + 1000000 where slot >= ${middle}`,
    `update bank_audit set compared = 0, slot = slot + 1000000 where slot >= ${middle}`,
    `update bank_measure set vault_base = 0, slot = slot + 1000000 where slot >= ${middle}`,
    `update swap_quote set rungs = '[]', slot = slot + 1000000 where slot >= ${middle}`,
    `update bank_rejection set reason = 'bad' where slot >= ${middle}`,
    `update wallet set lamports = 0, slot = slot + 1000000 where slot >= ${middle}`,
    `delete from wallet_balance where wallet in (select address from wallet where lamports = 0)`,
    `update account_order set trigger = 'unknown', slot = slot + 1000000 where slot >= ${middle}`,
    `update rebalance_order set mint = 'damaged', slot = slot + 1000000 where slot >= ${middle}`,
    `update group_change set detail = '{}' where slot >= ${middle}`,
    `update rate_quarantine set detail = 'bad' where slot >= ${middle}`,
    `update index_progress set done = 9999, slot = slot + 1000000 where slot >= ${middle}`,
    `update chain_progress set tip_slot = tip_slot + 1000000, root_slot = 999999`,
    `update followed_address set accounts = '{}', answered_slot = 999999 where answered_slot >= ${middle}`,
  ]) {
    await sql.raw(statement).execute(database.db);
  }
}

describe('replay', () => {
  it(
    'leaves tables that are right as they are',
    async () => {
      const { bus, before } = await prepare();
      await run(bus);
      expect(await dump()).toEqual(before);
      await run(bus);
      expect(await dump()).toEqual(before);
    },
    TIMEOUT,
  );

  it.each([3, 4])(
    'writes what was damaged anew from the messages there are, seed %s',
    async (seed) => {
      const { bus, before } = await prepare(seed);
      await damage();
      expect(await dump()).not.toEqual(before);
      await run(bus);
      expect(await dump()).toEqual(before);
    },
    TIMEOUT,
  );

  it(
    'touches nothing that the messages there are did not write',
    async () => {
      const { bus } = await prepare();
      const middle = LATEST / 2n;
      for (const statement of [
        `update activity set kind = 'loop' where slot < ${middle}`,
        `update rate_sample set borrow_apr = 8 where slot < ${middle}`,
        `update bank_limit_change set time = time - interval '1 day' where slot < ${middle}`,
        `update rate_quarantine set detail = 'old' where slot < ${middle}`,
        `update slot_finality set finality = 'dropped' where slot < ${middle} - 10 and finality = 'finalized'`,
        `update followed_address set asked_at = '2026-01-01', followed_at = '2026-01-01'`,
        `insert into account select 'older', group_address, authority, flags, last_update, derivation_index, third_party_id,
           active_orders, migrated_from, migrated_to, emissions_destination, liquidation_record, is_closed, source, 5, null, slot_time
         from account limit 1`,
        `insert into wallet select 'older', lamports, holdings_left_out, source, 5, slot_time from wallet limit 1`,
        // So that their hours are those of the samples as they are now.
        `insert into rate_roll_up_due (series, bucket) select distinct series, date_bin('1 hour', time, 'epoch'::timestamptz)
         from rate_sample on conflict do nothing`,
      ]) {
        await sql.raw(statement).execute(database.db);
      }
      await rollUpAll(partsOf(bus), new AbortController().signal);
      const before = await dump();
      await run(bus);
      expect(await dump()).toEqual(before);
    },
    TIMEOUT,
  );

  it(
    'changes nothing when it is stopped while it reads',
    async () => {
      const { bus } = await prepare();
      await damage();
      const damaged = await dump();
      const stopping = new AbortController();
      const stopAt = (part: string) => (line: string) => line.includes(part) && stopping.abort();
      await expect(run(bus, stopAt('Taking away'), stopping.signal)).rejects.toThrow('abort');
      expect(await dump()).toEqual(damaged);
    },
    TIMEOUT,
  );

  it.each(['the next start', 'the next replay'])(
    'ends right by %s when it is stopped while it projects',
    async (next) => {
      const { bus, before } = await prepare();
      await damage();
      const stopping = new AbortController();
      const stopAt = (part: string) => (line: string) => line.includes(part) && stopping.abort();
      await expect(run(bus, stopAt('Projecting'), stopping.signal)).rejects.toThrow('abort');
      expect(await dump()).not.toEqual(before);
      if (next === 'the next start') await projectAll(bus);
      else await run(bus);
      expect(await dump()).toEqual(before);
    },
    TIMEOUT,
  );

  it('has nothing to do where nothing is retained', async () => {
    const bus = await openBus();
    const lines: string[] = [];
    await run(bus, (line) => lines.push(line));
    expect(lines.at(-1)).toBe('Done: 0 messages.');
  });
});

const isSkipped = await isKafkaMissing();
// In CI a missing broker is a failure: the suite runs and says what it needs.

describe.skipIf(isSkipped)(isSkipped ? `replay on Kafka (${KAFKA_NEEDS})` : 'replay on Kafka', () => {
  let broker: KafkaBroker | undefined;
  beforeAll(async () => {
    broker = await startKafkaBroker();
  });
  afterAll(() => broker?.stop());

  it(
    'can run while an indexer projects and messages come',
    async () => {
      const random = createRandom(5);
      const bus = await openBus({ kind: 'kafka', brokers: broker?.brokers ?? [] });
      for (const address of FOLLOWED)
        await requestFollow(database.db, { address, aspect: 'accounts', maxFollowed: 10 });
      startProjector(bus);
      await bus.publish(happenings(LATEST / 2n, LATEST, random));
      await untilProjected(bus);
      await rollUpAll(partsOf(bus), new AbortController().signal);
      const before = await dump();
      await damage();
      await run(bus);
      expect(await dump()).toEqual(before);

      await damage();
      const more = happenings(LATEST, LATEST + 2_000n, random);
      await Promise.all([run(bus), bus.publish(more)]);
      await untilProjected(bus);
      await rollUpAll(partsOf(bus), new AbortController().signal);
      const after = await dump();
      await run(bus);
      expect(await dump()).toEqual(after);
    },
    TIMEOUT,
  );
});
