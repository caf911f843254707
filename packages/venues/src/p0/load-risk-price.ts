import type { PriceBand, RiskPrice } from '@lending/domain';
import { isLendingError } from '@lending/errors';
import type { Moment } from '../moment.ts';
import type { P0Bank } from './bank.ts';
import { type LoadedOracle, type LoadOracleOptions, loadOracle, type OracleAccounts } from './load-oracle.ts';
import { type PriceKind, priceBand } from './price-band.ts';

/**
 * The price a bank's oracle gives the risk engine, to the program's last bit.
 * @param accounts in the order of `oracleAccountsOf`.
 */
export function loadRiskPrice(
  bank: P0Bank,
  accounts: OracleAccounts,
  moment: Moment,
  options: LoadOracleOptions = {},
): RiskPrice {
  return toRiskPrice(bank, loadOracle(bank, accounts, moment, options));
}

/**
 * A loaded oracle as the risk engine takes it. Where the program aborts without an error of its own there is no band at all, so that
 * nothing is valued, as nothing is there.
 */
export function toRiskPrice(bank: P0Bank, loaded: LoadedOracle): RiskPrice {
  const error = loaded.kind === 'refused' ? loaded.programError : loaded.staleError;
  if (error !== null) return { kind: 'failed', error };
  if (loaded.kind === 'refused') return { kind: 'loaded', spot: null, ema: null };
  return { kind: 'loaded', spot: bandOrNull(bank, loaded, 'spot'), ema: bandOrNull(bank, loaded, 'ema') };
}

function bandOrNull(
  { oracle }: P0Bank,
  { feed }: LoadedOracle & { readonly kind: 'loaded' },
  kind: PriceKind,
): PriceBand | null {
  try {
    return priceBand(oracle, feed, kind);
  } catch (error) {
    if (isLendingError(error, 'DECODE__VALUE_OUT_OF_RANGE')) return null;
    throw error;
  }
}
