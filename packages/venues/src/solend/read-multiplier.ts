import { type I80F48, integerToI80F48, multiplyI80F48 } from '@lending/domain';
import { address } from '@solana/kit';
import { readU64, readU128 } from '../little-endian.ts';
import { multiplierOfSupplies } from '../scaled-supplies.ts';
import type { VenueRate } from '../venue-rate.ts';

const WAD = 10n ** 18n;

/**
 * Liquidity per cToken of a Solend reserve, which must be refreshed in this slot.
 * @see marginfi-v2 programs/solend-mocks/src/state.rs `SolendMinimalReserve`
 */
export const solendRate: VenueRate = {
  owner: address('So1endDq2YkqhipRh3WViPa8hdiSpxWy6z3Z6tMCpAo'),
  /** No Anchor account: its version stands in for a discriminator. */
  discriminator: new Uint8Array([1]),
  size: 619,
  errors: { invalid: 'SolendReserveValidationFailed', stale: 'SolendReserveStale' },
  isStale: (data, { slot }) => readU64(data, 1) < slot,
  readMultiplier: (data) => multiplierOfSupplies(liquidityOf(data), readU64(data, 259), data[74] ?? 0),
  scaleFixed: (price, multiplier) => (multiplier.kind === 'factor' ? multiplyI80F48(price, multiplier.value) : price),
};

function liquidityOf(data: Uint8Array): I80F48 {
  return integerToI80F48(readU64(data, 171)) + fromWads(readU128(data, 179)) - fromWads(readU128(data, 373));
}

/** Whole tokens and what is left of one are converted apart, each rounded down. */
function fromWads(wads: bigint): I80F48 {
  return integerToI80F48(wads / WAD) | (((wads % WAD) << 48n) / WAD);
}
