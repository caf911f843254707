import type { Venue } from '@lending/domain';
import { isLendingError } from '@lending/errors';
import { sql } from 'kysely';
import { copyRows } from './copy-rows.ts';
import type { Transaction } from './create-store.ts';
import { type AddedSample, markLateSamples } from './mark-late-samples.ts';
import { ensurePartitions } from './rate-sample-partitions.ts';
import { COPIED_COLUMNS, cutRate, rateSampleText } from './rate-sample-text.ts';
import { resolveSeries, type SeriesSubject } from './rate-series.ts';
import { holdMarks } from './roll-up-marks.ts';

/**
 * What a bank or reserve paid and charged at one slot. APRs and utilisation are fractions of one, of which 18 decimals are kept, totals
 * base units, share values and exchange rates in full precision, all as decimal text; `time` is the slot's, an ISO-8601 instant. The
 * fields are those of the event `rate.sampled`.
 */
export interface RateSampleWrite {
  /** The bank's or the reserve's address. */
  readonly bank: string;
  /** Default: a bank. */
  readonly kind?: 'bank' | 'reserve';
  readonly venue: Venue;
  readonly depositApr: string | null;
  readonly borrowApr: string | null;
  readonly nativeApr?: string | null;
  readonly emissionsDepositApr?: string | null;
  readonly emissionsBorrowApr?: string | null;
  readonly utilization: string | null;
  readonly totalAssetsBase: string | null;
  readonly totalLiabilitiesBase: string | null;
  readonly availableLiquidityBase: string | null;
  readonly assetShareValue: string;
  readonly liabilityShareValue: string;
  readonly exchangeRate?: string | null;
  readonly nativeExchangeRate?: string | null;
  readonly slotMs?: string | null;
  readonly priceUsd: string | null;
  readonly source: 'chain' | 'localnet';
  readonly slot: bigint;
  readonly time: string;
}

/**
 * Adds rate samples. A sample is immutable: one of a bank, slot and time that is there already changes nothing. One that is older
 * than the raw samples kept is left out: its hour was rolled up from more than it. One that comes late for its hour has the hour
 * rolled up again.
 * @returns how many were new.
 */
export async function insertRateSamples(transaction: Transaction, rows: readonly RateSampleWrite[]): Promise<number> {
  if (rows.length === 0) return 0;
  const { settledBefore, rawFrom } = await holdMarks(transaction);
  const kept = rawFrom === null ? rows : rows.filter(({ time }) => Date.parse(time) >= rawFrom.getTime());
  if (kept.length === 0) return 0;
  await ensurePartitions(
    transaction,
    kept.map(({ time }) => time),
  );
  const ids = await resolveSeries(transaction, subjectsOf(kept));
  const seriesOf = (row: RateSampleWrite): number => ids.get(row.bank) ?? 0;
  const added = await write(transaction, kept, seriesOf);
  if (settledBefore !== null) await markLateSamples(transaction, added, settledBefore);
  return added.length;
}

/** Each bank and reserve once: a batch has many samples of each. */
function subjectsOf(rows: readonly RateSampleWrite[]): readonly SeriesSubject[] {
  const subjects = new Map<string, SeriesSubject>();
  for (const { bank, kind = 'bank', venue, source } of rows) {
    if (!subjects.has(bank)) subjects.set(bank, { bank, kind, venue, source });
  }
  return [...subjects.values()];
}

/** By COPY, which most batches are: new samples. If one is there already, COPY refuses all of them, and they are inserted the slower way that skips it. */
async function write(
  transaction: Transaction,
  rows: readonly RateSampleWrite[],
  seriesOf: (row: RateSampleWrite) => number,
): Promise<readonly AddedSample[]> {
  if (await tryCopy(transaction, rows, seriesOf)) return rows.map((row) => ({ series: seriesOf(row), time: row.time }));
  return await insertNew(transaction, rows, seriesOf);
}

const UNIQUE_VIOLATION = '23505';

/** @returns false where one of them is there already; then none was written. */
async function tryCopy(
  transaction: Transaction,
  rows: readonly RateSampleWrite[],
  seriesOf: (row: RateSampleWrite) => number,
): Promise<boolean> {
  const text = rateSampleText(rows, seriesOf);
  try {
    // One message to the server instead of three.
    await copyRows(
      transaction,
      `savepoint copying; copy rate_sample (${COPIED_COLUMNS}) from stdin; release savepoint copying`,
      text,
    );
    return true;
  } catch (error) {
    if (sqlStateOf(error) !== UNIQUE_VIOLATION) throw error;
    await sql`rollback to savepoint copying`.execute(transaction);
    return false;
  }
}

function sqlStateOf(error: unknown): string | undefined {
  if (!isLendingError(error, 'STORE__ROW_INVALID')) return undefined;
  return (error.cause as { readonly code?: string } | undefined)?.code;
}

async function insertNew(
  transaction: Transaction,
  rows: readonly RateSampleWrite[],
  seriesOf: (row: RateSampleWrite) => number,
): Promise<readonly AddedSample[]> {
  const column = <K extends keyof RateSampleWrite>(name: K): (RateSampleWrite[K] | null)[] =>
    rows.map((row) => row[name] ?? null);
  const rates = (
    name: 'depositApr' | 'borrowApr' | 'nativeApr' | 'emissionsDepositApr' | 'emissionsBorrowApr' | 'utilization',
  ) => rows.map((row) => cutRate(row[name]));
  const { rows: added } = await sql<{ series: number; time: Date }>`
    insert into rate_sample (${sql.raw(COPIED_COLUMNS)})
    select * from unnest(
      ${column('time')}::timestamptz[],
      ${column('slot')}::bigint[],
      ${rows.map(seriesOf)}::integer[],
      ${rates('depositApr')}::numeric[],
      ${rates('borrowApr')}::numeric[],
      ${rates('nativeApr')}::numeric[],
      ${rates('emissionsDepositApr')}::numeric[],
      ${rates('emissionsBorrowApr')}::numeric[],
      ${rates('utilization')}::numeric[],
      ${column('totalAssetsBase')}::numeric[],
      ${column('totalLiabilitiesBase')}::numeric[],
      ${column('availableLiquidityBase')}::numeric[],
      ${column('assetShareValue')}::numeric[],
      ${column('liabilityShareValue')}::numeric[],
      ${column('exchangeRate')}::numeric[],
      ${column('nativeExchangeRate')}::numeric[],
      ${column('slotMs')}::numeric[],
      ${column('priceUsd')}::numeric[]
    )
    on conflict (series, time, slot) do nothing
    returning series, time
  `.execute(transaction);
  return added.map(({ series, time }) => ({ series, time: time.toISOString() }));
}
