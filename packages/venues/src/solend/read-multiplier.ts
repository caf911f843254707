import { type I80F48, integerToI80F48, multiplyI80F48 } from '@lending/domain';
import { SOLEND_PROGRAM, type SolendReserve, solendReserveLayout } from '@lending/programs';
import { multiplierOfSupplies, type ReceiptSupplies, tokensOfSupplies } from '../scaled-supplies.ts';
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
    const reserve = solendReserveLayout.decode(data);
    return {
      updatedAt: reserve.lastUpdate.slot,
      computeMultiplier: () => multiplierOfSupplies(suppliesOf(reserve)),
    };
  },
  scaleFixed: (price, multiplier) => (multiplier.kind === 'factor' ? multiplyI80F48(price, multiplier.value) : price),
};

/** Tokens that P0's program counts for a withdrawal of so many cTokens, base units. @throws DECODE__VALUE_OUT_OF_RANGE */
export function tokensCounted(reserve: SolendReserve, cTokens: bigint): bigint {
  return tokensOfSupplies(suppliesOf(reserve), cTokens);
}

function suppliesOf({ liquidity, collateral, accumulatedProtocolFeesWads }: SolendReserve): ReceiptSupplies {
  return {
    liquidity:
      integerToI80F48(liquidity.availableAmount) +
      fromWads(liquidity.borrowedAmountWads) -
      fromWads(accumulatedProtocolFeesWads),
    receipts: collateral.mintTotalSupply,
    decimals: liquidity.mintDecimals,
  };
}

/** Whole tokens and what is left of one are converted apart, each rounded down. */
function fromWads(wads: bigint): I80F48 {
  return integerToI80F48(wads / WAD) + ((wads % WAD) << 48n) / WAD;
}
