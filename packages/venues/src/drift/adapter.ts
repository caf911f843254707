import type { DriftSpotMarket } from '@lending/programs';
import type { AccountBytes } from '../account.ts';
import { nameOf } from '../clean-text.ts';
import { presentAccount } from '../decode-account.ts';
import { readVaultAmount } from '../p0/decode-token.ts';
import type { ReserveKeys, ReservePrice, ReserveReading } from '../reserve.ts';
import type { VenueAdapter, VenueMoment } from '../venue-adapter.ts';
import { accrueReserve } from './accrual.ts';
import { decodeExchange, decodeReserve } from './decode-reserve.ts';
import { discoverReserves } from './discovery.ts';
import { borrowsOf, depositsOf, exchangeRateOf } from './exchange-rate.ts';
import { limitsOf } from './limits.ts';
import { NO_RATES, ratesOf } from './rates.ts';
import { statusOf } from './status.ts';

const PRICE_TO_E18 = 10n ** 12n;

/**
 * Drift's spot markets. A market that does no business (see `statusOf`) is read as its account stands, without interest that nobody
 * earns, without rates, and with what its vault holds as all there is. No incentives: those were paid into accounts off any schedule.
 */
export const driftAdapter: VenueAdapter = {
  venue: 'drift',
  discover: discoverReserves,
  readReserve,
};

function readReserve(
  keys: ReserveKeys,
  [marketAccount, vaultAccount, stateAccount]: readonly (AccountBytes | null)[],
  { unixTimestamp }: VenueMoment,
): ReserveReading {
  const stored = decodeReserve(presentAccount(marketAccount, 'Drift spot market', keys.address));
  const exchange = stateAccount ? decodeExchange(stateAccount) : null;
  const vaultBase = vaultAccount?.address === stored.vault ? readVaultAmount(stored, vaultAccount) : null;
  const permissions = statusOf(stored, exchange, vaultBase, unixTimestamp);
  const isSuspended = permissions.status === 'suspended';
  const market = isSuspended ? stored : accrueReserve(stored, unixTimestamp);
  const held = vaultBase ?? 0n;
  const depositsBase = depositsOf(market);
  const borrowsBase = borrowsOf(market);
  return {
    keys,
    decimals: market.decimals,
    receiptMint: null,
    symbol: nameOf(market.name),
    marketName: market.poolId === 0 ? 'Main Pool' : `Pool ${market.poolId}`,
    status: permissions.status,
    statusReasons: permissions.reasons,
    rates: isSuspended ? NO_RATES : ratesOf(market),
    incentives: [],
    sizes: { depositsBase, borrowsBase, availableBase: held },
    limits: limitsOf(market, held, permissions),
    price: priceOf(market),
    exchangeRateE18: exchangeRateOf(market),
    lastUpdate: { slot: null, unixTimestamp: stored.lastInterestTs },
  };
}

/** As of the last instruction that saw the oracle. The average's time is up to a minute older than the price beside it. */
function priceOf({ historicalOracleData }: DriftSpotMarket): ReservePrice | null {
  const { lastOraclePrice, lastOraclePriceTwapTs } = historicalOracleData;
  if (lastOraclePrice <= 0n) return null;
  return {
    usdE18: lastOraclePrice * PRICE_TO_E18,
    publishedAt: lastOraclePriceTwapTs > 0n ? lastOraclePriceTwapTs : null,
  };
}
