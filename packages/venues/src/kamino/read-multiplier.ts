import { type I80F48, integerToI80F48, multiplyI80F48 } from '@lending/domain';
import { KLEND_PROGRAM, type KlendReserve, klendReserveLayout } from '@lending/programs';
import { multiplierOfSupplies } from '../scaled-supplies.ts';
import type { VenueRate } from '../venue-rate.ts';

/** klend keeps 60 fractional bits where P0 keeps 48; the lowest twelve are cut off. */
const EXTRA_BITS = 12n;

/**
 * Liquidity per cToken of a klend reserve.
 * @see marginfi-v2 programs/kamino-mocks/src/state.rs `MinimalReserve`
 */
export const kaminoRate: VenueRate = {
  account: 'kamino_reserve',
  owner: KLEND_PROGRAM,
  discriminator: klendReserveLayout.discriminator,
  size: klendReserveLayout.fixedSize,
  errors: { invalid: 'KaminoReserveValidationFailed', stale: 'ReserveStale' },
  freshBy: 'slot',
  read: (data) => {
    const { lastUpdate, liquidity, collateral, config } = klendReserveLayout.decode(data);
    const decimals = Number(liquidity.mintDecimals & 255n);
    return {
      updatedAt: lastUpdate.slot,
      isInEmergency: config.emergencyMode !== 0,
      computeMultiplier: () => multiplierOfSupplies(liquidityOf(liquidity), collateral.mintTotalSupply, decimals),
    };
  },
  scaleFixed: (price, multiplier) => (multiplier.kind === 'factor' ? multiplyI80F48(price, multiplier.value) : price),
};

/** Base units: what is there and what is lent, less what the protocol and referrers take. */
function liquidityOf(liquidity: KlendReserve['liquidity']): I80F48 {
  return (
    integerToI80F48(liquidity.totalAvailableAmount) +
    (liquidity.borrowedAmountSf >> EXTRA_BITS) -
    (liquidity.accumulatedProtocolFeesSf >> EXTRA_BITS) -
    (liquidity.accumulatedReferrerFeesSf >> EXTRA_BITS) -
    (liquidity.pendingReferrerFeesSf >> EXTRA_BITS)
  );
}
