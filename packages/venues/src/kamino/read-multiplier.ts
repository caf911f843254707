import { type I80F48, integerToI80F48, multiplyI80F48 } from '@lending/domain';
import { address } from '@solana/kit';
import { readU64, readU128 } from '../little-endian.ts';
import { multiplierOfSupplies } from '../scaled-supplies.ts';
import type { VenueRate } from '../venue-rate.ts';

/** klend keeps 60 fractional bits where P0 keeps 48; the lowest twelve are cut off. */
const EXTRA_BITS = 12n;

/**
 * Liquidity per cToken of a klend reserve, which must be refreshed in this slot.
 * @see marginfi-v2 programs/kamino-mocks/src/state.rs `MinimalReserve`
 */
export const kaminoRate: VenueRate = {
  owner: address('KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD'),
  discriminator: new Uint8Array([43, 242, 204, 202, 26, 247, 59, 127]),
  size: 8624,
  errors: { invalid: 'KaminoReserveValidationFailed', stale: 'ReserveStale' },
  isStale: (data, { slot }) => readU64(data, 16) < slot,
  readMultiplier: (data) =>
    multiplierOfSupplies(liquidityOf(data), readU64(data, 2592), Number(readU64(data, 272) & 255n)),
  scaleFixed: (price, multiplier) => (multiplier.kind === 'factor' ? multiplyI80F48(price, multiplier.value) : price),
};

/** Base units: what is there and what is lent, less what the protocol and referrers take. */
function liquidityOf(data: Uint8Array): I80F48 {
  const [borrowed, protocolFees, referrerFees, pendingReferrerFees] = [232, 344, 360, 376].map(
    (offset) => readU128(data, offset) >> EXTRA_BITS,
  ) as [I80F48, I80F48, I80F48, I80F48];
  return integerToI80F48(readU64(data, 224)) + borrowed - protocolFees - referrerFees - pendingReferrerFees;
}
