import { query, type Tables } from '../history/tables.ts';
import type { Outage } from './run-cell.ts';
import { POLL_MS } from './struck-services.ts';

interface SampleText {
  readonly address: string;
  readonly slot: string;
  readonly time: Date;
  readonly sample: string;
  /** What the token is worth by itself; null until its pool was found, for which no beat waits. */
  readonly native: string | null;
}

/**
 * Samples of one series at one slot, whoever read them, are one reading of the chain; how many there are, and which differ. Not those of
 * `believed`: a node that calls old accounts new is believed until its clock gives it away, and only the time of such a sample is true.
 */
export async function compareReadings(
  calm: Tables,
  struck: Tables,
  believed: readonly Outage[],
): Promise<{ readonly both: number; readonly different: readonly string[] }> {
  const [expected, found] = await Promise.all([readings(calm, []), readings(struck, believed)]);
  const different: string[] = [];
  let both = 0;
  for (const [at, one] of found) {
    const other = expected.get(at);
    if (other === undefined) continue;
    both += 1;
    const isNativeKnown = one.native !== null && other.native !== null;
    if (other.sample !== one.sample) different.push(`${at}: ${one.sample} where it is ${other.sample}`);
    else if (isNativeKnown && other.native !== one.native)
      different.push(`${at}: a native exchange rate of ${one.native} where it is ${other.native}`);
  }
  return { both, different };
}

async function readings(database: Tables, without: readonly Outage[]): Promise<ReadonlyMap<string, SampleText>> {
  const rows = await query<SampleText>(database, SAMPLES);
  const isWithout = ({ time }: SampleText) =>
    without.some(({ fromMs, toMs }) => fromMs - GAP_MS <= time.getTime() && time.getTime() <= toMs + GAP_MS);
  return new Map(rows.flatMap((row) => (isWithout(row) ? [] : [[`${row.address} at ${row.slot}`, row]])));
}

/**
 * What the chain held, without what hangs on how long slots last, which each process measures by itself: venues that count by slots have
 * their APRs by that.
 */
const SAMPLES = `
  select address, slot::text, time, native_exchange_rate::text as native,
    (to_jsonb(rate_sample) - array['series', 'slot', 'slot_ms', 'native_apr', 'deposit_apr', 'borrow_apr', 'emissions_deposit_apr',
      'emissions_borrow_apr', 'native_exchange_rate'])::text as sample
  from rate_sample join rate_series on rate_series.id = series`;

/** Longer than a beat, whatever the machine: a pause that a busy machine makes is no gap, one that a fault makes is. */
const GAP_MS = 12 * POLL_MS;

/**
 * Where the services have a gap that the undisturbed pipeline has not, although the node answered them: samples that were lost. While
 * the node was away nobody could read: those gaps are in `outages`.
 */
export async function lostStretches(
  calm: Tables,
  struck: Tables,
  outages: readonly Outage[],
): Promise<readonly string[]> {
  const [expected, found] = await Promise.all([gapsOf(calm), gapsOf(struck)]);
  return found
    .filter((gap) => !outages.some(({ fromMs, toMs }) => fromMs - GAP_MS <= gap.fromMs && gap.toMs <= toMs + GAP_MS))
    .filter((gap) => !expected.some((other) => other.fromMs < gap.toMs && other.toMs > gap.fromMs))
    .map(
      ({ address, fromMs, toMs }) =>
        `${address}: nothing for ${toMs - fromMs} ms from ${new Date(fromMs).toISOString()}`,
    );
}

interface Gap {
  readonly address: string;
  readonly fromMs: number;
  readonly toMs: number;
}

async function gapsOf(database: Tables): Promise<readonly Gap[]> {
  const rows = await query<{ address: string; from_time: Date; to_time: Date }>(
    database,
    `select * from (
       select address, time as from_time, lead(time) over (partition by series order by time, slot) as to_time
       from rate_sample join rate_series on rate_series.id = series
     ) as pair where to_time - from_time > $1 * interval '1 millisecond'`,
    [GAP_MS],
  );
  return rows.map(({ address, from_time: from, to_time: to }) => ({
    address,
    fromMs: from.getTime(),
    toMs: to.getTime(),
  }));
}
