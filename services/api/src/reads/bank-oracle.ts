import type { BankRow } from '@lending/store';
import type { Bank } from '#records/bank-fields.ts';

/**
 * How old the bank's price is, by the chain's clock: the time of the newest reading of any bank. The program compares with
 * the same clock, so this is the age it would see; how old our own reading is, `as_of` says.
 */
export function describeOracle(row: BankRow, chainTimeMs: number): Bank['oracle'] {
  const maxAgeSeconds = row.oracle_max_age_seconds;
  const base = { type: row.oracle_setup, max_age_seconds: maxAgeSeconds };
  if (row.price_usd === null) {
    return { ...base, price_time: row.price_publish_time?.toISOString() ?? null, age_seconds: null, stale: null };
  }
  if (row.price_publish_time === null) {
    // A fixed price has no time and cannot grow old; any other price without a time cannot be judged.
    return { ...base, price_time: null, age_seconds: null, stale: row.oracle_setup === 'Fixed' ? false : null };
  }
  const ageSeconds = Math.max(0, Math.floor(chainTimeMs / 1000) - Math.floor(row.price_publish_time.getTime() / 1000));
  return {
    ...base,
    price_time: row.price_publish_time.toISOString(),
    age_seconds: ageSeconds,
    stale: ageSeconds > maxAgeSeconds,
  };
}
