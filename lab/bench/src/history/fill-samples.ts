import type { Store } from '@lending/store';
import { sql } from 'kysely';
import { addressOf, isBank, type SyntheticSamples, timeMsOf } from './synthetic-samples.ts';

const DAY_MS = 86_400_000;
/** Days that are filled at once, on a connection each. */
const AT_ONCE = 3;

/**
 * Fills the table with samples from the `from`th to before the `to`th, of the widths that real ones have, made inside the database:
 * only what is measured goes the way of samples.
 */
export async function fillSamples(store: Store, samples: SyntheticSamples, from: number, to: number): Promise<void> {
  await nameSeries(store, samples);
  const days = daysOf(samples, from, to);
  for (const { name, startMs } of days) {
    const bounds = [startMs, startMs + DAY_MS].map((ms) => sql.lit(new Date(ms).toISOString()));
    await sql`
      create table if not exists ${sql.table(name)} partition of rate_sample
      for values from (${bounds[0]}) to (${bounds[1]})
    `.execute(store.db);
  }
  const queue = [...days];
  const work = async (): Promise<void> => {
    for (let day = queue.shift(); day !== undefined; day = queue.shift()) {
      await fillDay(store, samples, Math.max(from, day.first), Math.min(to, day.end));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

interface Day {
  readonly name: string;
  readonly startMs: number;
  readonly first: number;
  readonly end: number;
}

/** The days of a range, with the samples that fall into each. */
function daysOf(samples: SyntheticSamples, from: number, to: number): Day[] {
  const days: Day[] = [];
  for (let first = from; first < to; ) {
    const startMs = Math.floor(timeMsOf(samples, first) / DAY_MS) * DAY_MS;
    let end = first;
    while (end < to && timeMsOf(samples, end) < startMs + DAY_MS)
      end = (Math.floor(end / samples.series) + 1) * samples.series;
    const digits = new Date(startMs).toISOString().slice(0, 10).replaceAll('-', '');
    days.push({ name: `rate_sample_${digits}`, startMs, first, end: Math.min(end, to) });
    first = Math.min(end, to);
  }
  return days;
}

async function nameSeries(store: Store, { series }: SyntheticSamples): Promise<void> {
  const all = Array.from({ length: series }, (_, nth) => nth);
  await sql`
    insert into rate_series (address, kind, venue, source)
    select address, case when is_bank then 'bank' else 'reserve' end, case when is_bank then 'p0' else 'kamino' end, 'localnet'
    from unnest(${all.map(addressOf)}::text[], ${all.map(isBank)}::boolean[]) as s (address, is_bank)
    on conflict (address) do nothing
  `.execute(store.db);
}

async function fillDay(store: Store, samples: SyntheticSamples, first: number, end: number): Promise<void> {
  const all = Array.from({ length: samples.series }, (_, nth) => nth);
  const startMs = timeMsOf(samples, 0);
  await sql`
    insert into rate_sample (
      time, slot, series, deposit_apr, borrow_apr, utilization, total_assets_base, total_liabilities_base,
      available_liquidity_base, asset_share_value, liability_share_value, exchange_rate, slot_ms, price_usd
    )
    select
      time,
      floor(extract(epoch from time) * 1000 / 400)::bigint,
      id,
      -- As wide as rates are, whatever the value.
      0.040000000000000001 + wave,
      0.070000000000000001 + wave,
      0.600000000000000001 + wave * 4,
      1000000000000 + beat * 7919 + nth,
      600000000000 + beat * 6101 + nth,
      400000000000 + beat * 1811,
      case when is_bank then 1.000000000000003552713678800500929355621337890625 + beat::numeric / 100000000 else 1 end,
      case when is_bank then 1.000000000000003552713678800500929355621337890625 + beat::numeric / 50000000 else 1 end,
      case when not is_bank then 1.000000000000000001 + beat::numeric / 100000000 end,
      case when not is_bank then 392.5 end,
      100.000000001 + wave
    from (
      select
        id,
        nth,
        is_bank,
        beat,
        to_timestamp((${startMs}::numeric + round(beat * ${samples.beatMs}::numeric)) / 1000) as time,
        ((beat * 7 + nth * 131) % 20011)::numeric * 0.000000999999999917 as wave
      from generate_series(${Math.floor(first / samples.series)}::bigint, ${Math.floor((end - 1) / samples.series)}::bigint) as beat
      cross join (
        select rate_series.id, s.is_bank, s.nth - 1 as nth
        from unnest(${all.map(addressOf)}::text[], ${all.map(isBank)}::boolean[]) with ordinality as s (address, is_bank, nth)
        join rate_series using (address)
      ) as named
      where beat * ${samples.series}::bigint + nth >= ${first}::bigint and beat * ${samples.series}::bigint + nth < ${end}::bigint
      order by beat, nth
    ) as made
  `.execute(store.db);
}
