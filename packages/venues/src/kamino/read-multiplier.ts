import { type I80F48, integerToI80F48, multiplyI80F48 } from '@lending/domain';
import { KLEND_PROGRAM, type KlendReserve, klendReserveLayout } from '@lending/programs';
import { multiplierOfSupplies, type ReceiptSupplies, tokensOfSupplies } from '../scaled-supplies.ts';
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
    const reserve = klendReserveLayout.decode(data);
    return {
      updatedAt: reserve.lastUpdate.slot,
      isInEmergency: reserve.config.emergencyMode !== 0,
      computeMultiplier: () => multiplierOfSupplies(suppliesOf(reserve)),
    };
  },
  scaleFixed: (price, multiplier) => (multiplier.kind === 'factor' ? multiplyI80F48(price, multiplier.value) : price),
};

/** Tokens that P0's program counts for a withdrawal of so many cTokens, base units. @throws DECODE__VALUE_OUT_OF_RANGE */
export function tokensCounted(reserve: Pick<KlendReserve, 'liquidity' | 'collateral'>, cTokens: bigint): bigint {
  return tokensOfSupplies(suppliesOf(reserve), cTokens);
}

function suppliesOf({ liquidity, collateral }: Pick<KlendReserve, 'liquidity' | 'collateral'>): ReceiptSupplies {
  return {
    liquidity: liquidityOf(liquidity),
    receipts: collateral.mintTotalSupply,
    decimals: Number(liquidity.mintDecimals & 255n),
  };
}

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
