import { LendingError } from '@lending/errors';
import type { DriftSpotMarket } from '@lending/programs';
import type { AccountBytes } from '../account.ts';
import { cleanText } from '../p0/decode-bank-metadata.ts';
import { readVaultAmount } from '../p0/decode-token.ts';
import type { ReserveKeys, ReservePrice, ReserveReading } from '../reserve.ts';
import type { VenueAdapter, VenueMoment } from '../venue-adapter.ts';
import { accrueSpotMarket } from './accrual.ts';
import { decodeExchange, decodeSpotMarket } from './decode-reserve.ts';
import { discoverSpotMarkets } from './discovery.ts';
import { borrowsOf, depositsOf, exchangeRateOf } from './exchange-rate.ts';
import { limitsOf } from './limits.ts';
import { NO_RATES, ratesOf } from './rates.ts';
import { statusOf } from './status.ts';

const MAX_SYMBOL_LENGTH = 32;
const PRICE_TO_E18 = 10n ** 12n;

/**
 * Drift's spot markets. A market that does no business (see `statusOf`) is read as its account stands, without interest that nobody
 * earns, without rates, and with what its vault holds as all there is. No incentives: those were paid into accounts off any schedule.
 */
export const driftAdapter: VenueAdapter = {
  venue: 'drift',
  discover: discoverSpotMarkets,
  readReserve,
};

function readReserve(
  keys: ReserveKeys,
  [marketAccount, vaultAccount, stateAccount]: readonly (AccountBytes | null)[],
  { unixTimestamp }: VenueMoment,
): ReserveReading {
  const stored = decodeSpotMarket(required(keys, marketAccount));
  const exchange = stateAccount ? decodeExchange(stateAccount) : null;
  const vaultBase = vaultAccount?.address === stored.vault ? readVaultAmount(stored, vaultAccount) : null;
  const allowed = statusOf(stored, exchange, vaultBase, unixTimestamp);
  const isSuspended = allowed.status === 'suspended';
  const market = isSuspended ? stored : accrueSpotMarket(stored, unixTimestamp);
  const held = vaultBase ?? 0n;
  const depositsBase = depositsOf(market);
  const borrowsBase = borrowsOf(market);
  return {
    keys,
    decimals: market.decimals,
    symbol: cleanText(new TextDecoder().decode(Uint8Array.from(market.name)).replaceAll('\0', ' '), MAX_SYMBOL_LENGTH),
    marketName: market.poolId === 0 ? 'Main Pool' : `Pool ${market.poolId}`,
    status: allowed.status,
    statusReasons: allowed.reasons,
    rates: isSuspended ? NO_RATES : ratesOf(market),
    incentives: [],
    sizes: { depositsBase, borrowsBase, availableBase: held },
    limits: limitsOf(market, held, allowed),
    price: priceOf(market),
    exchangeRateE18: exchangeRateOf(market),
    lastUpdate: { slot: null, unixTimestamp: stored.lastInterestTs },
  };
}

function required(keys: ReserveKeys, account: AccountBytes | null | undefined): AccountBytes {
  if (account) return account;
  throw new LendingError('DECODE__ACCOUNT_MALFORMED', {
    message: `Drift spot market ${keys.address} does not exist`,
    context: { address: keys.address },
  });
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
