import type { KlendMarket, KlendReserve } from '@lending/programs';
import { accrueKaminoReserve, kaminoAccrualUnit, kaminoTotalSupplySf, toSf } from '@lending/venues';
import type { InvokeContext } from '#engine/program.ts';
import { check } from '../klend-error.ts';
import { RESERVE_UNITS } from '../klend-units.ts';
import type { ValidatedPrice } from '../prices.ts';
import { ageOf } from './last-update.ts';

/**
 * Accrues a reserve to the slot and takes the price it is given. Without one the old price stays, and counts as checked as long as it is
 * young.
 *
 * klend 1.25's source is not published: of a reserve that counts seconds we take it that a refresh notes the second, of one that counts
 * slots that it does not.
 * @throws AnchorError MathOverflow
 * @see klend programs/klend/src/lending_market/lending_operations.rs `refresh_reserve`
 */
export function refreshReserve(
  reserve: KlendReserve,
  market: KlendMarket,
  price: ValidatedPrice | null,
  context: InvokeContext,
): KlendReserve {
  const now = context.slot;
  check(now.slot >= reserve.lastUpdate.slot, 'MathOverflow');
  context.consume(RESERVE_UNITS.refresh + (now.slot > reserve.lastUpdate.slot ? RESERVE_UNITS.accrual : 0n));
  const accrued = accrueKaminoReserve(reserve, market, now);
  const { liquidity, lastUpdate } = accrued;
  const priced =
    price === null
      ? liquidity
      : { ...liquidity, marketPriceSf: price.valueSf, marketPriceLastUpdatedTs: price.timestamp };
  const kept = isSavedPriceYoung(reserve, now.unixTimestamp) ? lastUpdate.priceStatus : 0;
  const timestamp = kaminoAccrualUnit(reserve) === 'second' ? Number(now.unixTimestamp) : lastUpdate.timestamp;
  return {
    ...accrued,
    liquidity: priced,
    lastUpdate: { ...lastUpdate, slot: now.slot, stale: 0, priceStatus: price?.checks ?? kept, timestamp },
  };
}

/** Since when the reserve holds more than its limits, for whoever deleverages it. */
export function noteLimitsCrossed(reserve: KlendReserve, unixTimestamp: bigint): KlendReserve {
  const { liquidity, config } = reserve;
  const isOverDeposits = kaminoTotalSupplySf(reserve) > toSf(config.depositLimit);
  const isOverBorrows = liquidity.borrowedAmountSf > toSf(config.borrowLimit);
  const since = (isOver: boolean, noted: bigint) => (isOver ? noted || unixTimestamp : 0n);
  return {
    ...reserve,
    liquidity: {
      ...liquidity,
      depositLimitCrossedTimestamp: since(isOverDeposits, liquidity.depositLimitCrossedTimestamp),
      borrowLimitCrossedTimestamp: since(isOverBorrows, liquidity.borrowLimitCrossedTimestamp),
    },
  };
}

function isSavedPriceYoung({ liquidity, config }: KlendReserve, unixTimestamp: bigint): boolean {
  return ageOf(liquidity.marketPriceLastUpdatedTs, unixTimestamp) < config.tokenInfo.maxAgePriceSeconds;
}
