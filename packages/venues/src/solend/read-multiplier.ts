import { type I80F48, integerToI80F48, multiplyI80F48 } from '@lending/domain';
import { SOLEND_PROGRAM, solendReserveLayout } from '@lending/programs';
import { multiplierOfSupplies } from '../scaled-supplies.ts';
import type { VenueRate } from '../venue-rate.ts';

const WAD = 10n ** 18n;
/** Not an Anchor account: its version stands in for a discriminator. */
const VERSION = new Uint8Array([1]);

/**
 * Liquidity per cToken of a Solend reserve.
 * @see marginfi-v2 programs/solend-mocks/src/state.rs `SolendMinimalReserve`
 */
export const solendRate: VenueRate = {
  account: 'solend_reserve',
  owner: SOLEND_PROGRAM,
  discriminator: VERSION,
  size: solendReserveLayout.fixedSize,
  errors: { invalid: 'SolendReserveValidationFailed', stale: 'SolendReserveStale' },
  freshBy: 'slot',
  read: (data) => {
    const { lastUpdate, liquidity, collateral, accumulatedProtocolFeesWads } = solendReserveLayout.decode(data);
    const total = () =>
      integerToI80F48(liquidity.availableAmount) +
      fromWads(liquidity.borrowedAmountWads) -
      fromWads(accumulatedProtocolFeesWads);
    return {
      updatedAt: lastUpdate.slot,
      computeMultiplier: () => multiplierOfSupplies(total(), collateral.mintTotalSupply, liquidity.mintDecimals),
    };
  },
  scaleFixed: (price, multiplier) => (multiplier.kind === 'factor' ? multiplyI80F48(price, multiplier.value) : price),
};

/** Whole tokens and what is left of one are converted apart, each rounded down. */
function fromWads(wads: bigint): I80F48 {
  return integerToI80F48(wads / WAD) + ((wads % WAD) << 48n) / WAD;
}
