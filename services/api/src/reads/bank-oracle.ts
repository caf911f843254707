import type { BankRow } from '@lending/store';
import type { Bank } from '#tools/bank-fields.ts';

/** The program's own default where a Pyth push bank sets no limit. @see protocol reference §5.2 */
const DEFAULT_PYTH_MAX_AGE_SECONDS = 60;

/**
 * How old the bank's price is, by the chain's clock: the time of the newest reading of any bank. The program compares with
 * the same clock, so this is the age it would see; how old our own reading is, `as_of` says.
 */
export function describeOracle(row: BankRow, chainTimeMs: number): Bank['oracle'] {
  const maxAgeSeconds = maxAgeOf(row);
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

function maxAgeOf(row: BankRow): number {
  const isPythPush = row.oracle_setup === 'PythPushOracle';
  return isPythPush && row.oracle_max_age_seconds === 0 ? DEFAULT_PYTH_MAX_AGE_SECONDS : row.oracle_max_age_seconds;
}
