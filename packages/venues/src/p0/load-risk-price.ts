import { BANK_FLAG, type RiskPrice } from '@lending/domain';
import type { Moment } from '../moment.ts';
import type { P0Bank } from './bank.ts';
import { type LoadedOracle, type LoadOracleOptions, loadOracle, type OracleAccounts } from './load-oracle.ts';
import { priceBand } from './price-band.ts';

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

/** A loaded oracle as the risk engine takes it. Where the program aborts, or we cannot tell what it does, nothing near it is valued. */
export function toRiskPrice({ oracle, venue, flags }: P0Bank, loaded: LoadedOracle): RiskPrice {
  if (loaded.kind === 'refused') return { kind: 'failed', error: loaded.programError ?? 'ProgramFailedToComplete' };
  if (loaded.staleError !== null) return { kind: 'failed', error: loaded.staleError };
  const isMarketInEmergency = venue === 'kamino' && (flags & BANK_FLAG.isKaminoEmergency) !== 0n;
  return {
    kind: 'loaded',
    spot: priceBand(oracle, loaded.feed, 'spot'),
    ema: priceBand(oracle, loaded.feed, 'ema'),
    hasBorrowingPower: !loaded.isVenueInEmergency && !isMarketInEmergency,
  };
}

/**
 * The price after whoever acts has refreshed the venue, which anybody can do in the same transaction: a venue that was not refreshed in
 * this very slot is nothing to warn of, a feed or a stake pool that is out of date is.
 * @returns what a receipt is worth as of the venue's last refresh, otherwise as `toRiskPrice`.
 */
export function toRiskPriceOnceRefreshed(bank: P0Bank, loaded: LoadedOracle): RiskPrice {
  const isOnlyVenueStale =
    loaded.kind === 'loaded' && loaded.isVenueStale && !loaded.isFeedStale && !loaded.isTokenRateStale;
  return toRiskPrice(bank, isOnlyVenueStale ? { ...loaded, staleError: null } : loaded);
}
