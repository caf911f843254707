import { FRACTION_ONE } from '@lending/domain';
import { isLendingError } from '@lending/errors';
import { NO_KEY } from '@lending/programs';
import type { AccountBytes } from '../account.ts';
import type { ReserveKeys, ReserveReading } from '../reserve.ts';
import type { VenueAdapter, VenueMoment } from '../venue-adapter.ts';
import { accrueJuplendPrices, juplendTotals, PRICE_ONE } from './accrual.ts';
import { decodeReserve, type JuplendReserve } from './decode-reserve.ts';
import { discoverReserves } from './discovery.ts';
import { accrueJuplendTokenPrice } from './exchange-rate.ts';
import { juplendAvailable, limitsOf } from './limits.ts';
import { ratesOf } from './rates.ts';
import { juplendRewardPhases, juplendRewardRate, juplendTotalAssets } from './rewards.ts';
import { statusOf } from './status.ts';

/**
 * JupLend's Earn pools. Sizes and utilisation are those of the mint in the liquidity layer, to which vaults supply, too: that is what
 * rates follow. The receipt is the pool's fToken. Rates count seconds, so the chain's pace does not go into them.
 */
export const juplendAdapter: VenueAdapter = {
  venue: 'juplend',
  discover: discoverReserves,
  readReserve,
};

function readReserve(
  keys: ReserveKeys,
  accounts: readonly (AccountBytes | null)[],
  { unixTimestamp }: VenueMoment,
): ReserveReading {
  const decoded = decodeReserve(keys.address, accounts);
  const { lending, reserve, position } = decoded;
  const pool = lending.rewardsRateModel === NO_KEY ? { ...decoded, rewards: null } : decoded;
  const prices = accrueJuplendPrices(reserve, unixTimestamp);
  const { supply, borrow } = juplendTotals(reserve, prices);
  const availableBase = juplendAvailable(reserve, decoded.vaultAmount);
  const { status, reasons } = statusOf(decoded);
  const isLocked = status !== 'active';
  return {
    keys,
    decimals: lending.decimals,
    receiptMint: lending.fTokenMint,
    symbol: null,
    marketName: null,
    status,
    statusReasons: reasons,
    rates: ratesOf(reserve, prices, rewardRateOf(pool, unixTimestamp)),
    incentives: [],
    sizes: { depositsBase: supply, borrowsBase: borrow, availableBase },
    limits: limitsOf({ reserve, position, prices, availableBase }, isLocked, unixTimestamp),
    price: null,
    exchangeRateE18: (tokenPriceOf(pool, prices.supply, unixTimestamp) * FRACTION_ONE) / PRICE_ONE,
    lastUpdate: { slot: null, unixTimestamp: lending.lastUpdateTimestamp },
  };
}

/** Null for an empty pool whose rewards ask for no size: the program cannot divide by nothing. */
function rewardRateOf({ lending, rewards, fTokenSupply }: JuplendReserve, unixTimestamp: bigint): bigint | null {
  if (rewards === null) return 0n;
  const totalAssets = juplendTotalAssets(lending.tokenExchangePrice, fTokenSupply);
  try {
    return juplendRewardRate(juplendRewardPhases(rewards, totalAssets, unixTimestamp), unixTimestamp);
  } catch (error) {
    if (totalAssets === 0n && isLendingError(error, 'DECODE__VALUE_OUT_OF_RANGE')) return null;
    throw error;
  }
}

/** Of that same pool the price stands still: nobody can update it. */
function tokenPriceOf(pool: JuplendReserve, liquidityPrice: bigint, unixTimestamp: bigint): bigint {
  try {
    return accrueJuplendTokenPrice(pool, liquidityPrice, unixTimestamp);
  } catch (error) {
    if (pool.fTokenSupply === 0n && isLendingError(error, 'DECODE__VALUE_OUT_OF_RANGE'))
      return pool.lending.tokenExchangePrice;
    throw error;
  }
}
