import type { Message } from '@lending/events';
import { sql } from 'kysely';
import pg from 'pg';
import copyStreams from 'pg-copy-streams';
import type { BenchDatabase } from './bench-database.ts';
import { messageOf, type SyntheticSamples, timeMsOf } from './synthetic-samples.ts';

const DAY_MS = 86_400_000;

const COLUMNS =
  'time, slot, series, deposit_apr, borrow_apr, native_apr, emissions_deposit_apr, emissions_borrow_apr, utilization, ' +
  'total_assets_base, total_liabilities_base, available_liquidity_base, asset_share_value, liability_share_value, ' +
  'exchange_rate, native_exchange_rate, slot_ms, price_usd';

/** Rows a second of one COPY whose text lies ready in memory. */
export async function copySamples(
  { connectionString, store }: BenchDatabase,
  samples: SyntheticSamples,
  from: number,
  count: number,
): Promise<number> {
  const { rows: known } = await sql<{ id: number; address: string }>`select id, address from rate_series`.execute(
    store.db,
  );
  const ids = new Map(known.map(({ id, address }) => [address, id]));
  const lines = Array.from({ length: count }, (_, step) => lineOf(messageOf(samples, from + step), ids));
  await makeDays(store, [timeMsOf(samples, from), timeMsOf(samples, from + count - 1)]);
  const chunks = Array.from({ length: Math.ceil(lines.length / 200) }, (_, nth) =>
    Buffer.from(lines.slice(nth * 200, nth * 200 + 200).join('')),
  );
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const start = performance.now();
    const stream = client.query(copyStreams.from(`copy rate_sample (${COLUMNS}) from stdin`));
    const finished = new Promise<void>((resolve, reject) => stream.once('finish', resolve).once('error', reject));
    for (const chunk of chunks) {
      if (!stream.write(chunk)) await new Promise<void>((resolve) => stream.once('drain', resolve));
    }
    stream.end();
    await finished;
    return count / ((performance.now() - start) / 1000);
  } finally {
    await client.end();
  }
}

/** The line that the projection would send. */
function lineOf({ payload, time, slot }: Message<'rate.sampled.v1'>, ids: ReadonlyMap<string, number>): string {
  const rate = (value: string | null) => (value === null ? '\\N' : value.slice(0, value.indexOf('.') + 19));
  const plain = (value: string | null) => value ?? '\\N';
  return `${[
    time,
    slot,
    ids.get(payload.bank) ?? 0,
    rate(payload.depositApr),
    rate(payload.borrowApr),
    rate(payload.nativeApr),
    rate(payload.emissionsDepositApr),
    rate(payload.emissionsBorrowApr),
    rate(payload.utilization),
    plain(payload.totalAssetsBase),
    plain(payload.totalLiabilitiesBase),
    plain(payload.availableLiquidityBase),
    payload.assetShareValue,
    payload.liabilityShareValue,
    plain(payload.exchangeRate),
    plain(payload.nativeExchangeRate),
    plain(payload.slotMs),
    plain(payload.priceUsd),
  ].join('\t')}\n`;
}

/** COPY makes no partitions. */
async function makeDays(store: BenchDatabase['store'], timesMs: readonly number[]): Promise<void> {
  for (const timeMs of timesMs) {
    const startMs = Math.floor(timeMs / DAY_MS) * DAY_MS;
    const [start, end] = [startMs, startMs + DAY_MS].map((ms) => new Date(ms).toISOString()) as [string, string];
    const name = `rate_sample_${start.slice(0, 10).replaceAll('-', '')}`;
    await sql`
      create table if not exists ${sql.table(name)} partition of rate_sample
      for values from (${sql.lit(start)}) to (${sql.lit(end)})
    `.execute(store.db);
  }
}
