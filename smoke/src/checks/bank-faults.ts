import type { Bank } from './findings.ts';

/** Percent a year. Utilisation at the end of a curve has gone above 300 %; nothing pays a thousand for long. */
const MOST_APY_PCT = 1_000;
/** Interest that accrued since the last reading may put what is owed a little above what was lent. */
const MOST_UTILIZATION_PCT = 105;
const NEEDED_RATES = ['total_deposit_apy_pct', 'utilization_pct'] as const;

/** What cannot be of a bank, whatever it is. */
export function bankFaults(bank: Bank): readonly string[] {
  const faults: string[] = [];
  const name = `${bank.symbol ?? bank.address} on ${bank.venue}`;
  for (const [rate, value] of Object.entries(bank.rates)) {
    if (typeof value !== 'number' || !rate.endsWith('_apy_pct')) continue;
    if (value < -MOST_APY_PCT || value > MOST_APY_PCT) faults.push(`${name} has ${rate} ${value}`);
  }
  const { utilization_pct: utilization } = bank.rates;
  if (typeof utilization === 'number' && (utilization < 0 || utilization > MOST_UTILIZATION_PCT))
    faults.push(`${name} has utilization_pct ${utilization}`);
  if (bank.price_usd !== null && !(bank.price_usd > 0)) faults.push(`${name} has price_usd ${bank.price_usd}`);
  for (const [size, value] of Object.entries(bank.size))
    if (value !== null && value < 0) faults.push(`${name} has size.${size} ${value}`);
  // Whoever may deposit has to be told what for.
  if (!bank.actions_allowed.includes('deposit')) return faults;
  for (const rate of NEEDED_RATES)
    if (bank.rates[rate] == null) faults.push(`${name} takes deposits and has no ${rate}`);
  if (bank.price_usd === null) faults.push(`${name} takes deposits and has no price`);
  return faults;
}
