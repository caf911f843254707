import { divideI80F48, integerToI80F48, multiplyI80F48 } from '@lending/domain';
import { address } from '@solana/kit';
import { readU64, readU128 } from '../little-endian.ts';
import type { VenueRate } from '../venue-rate.ts';

const INTEREST_PRECISION = 10n ** 10n;

/**
 * Tokens per scaled balance of a Drift spot market, whose interest must be of this second.
 * @see marginfi-v2 programs/drift-mocks/src/state.rs `MinimalSpotMarket`
 */
export const driftRate: VenueRate = {
  owner: address('dRiftyHA39MWEi3m9aunc5MzRF1JYuBsbn6VPcn33UH'),
  discriminator: new Uint8Array([100, 177, 8, 107, 168, 65, 65, 39]),
  size: 776,
  errors: { invalid: 'DriftSpotMarketValidationFailed', stale: 'DriftSpotMarketStale' },
  isStale: (data, { unixTimestamp }) => BigInt.asIntN(64, readU64(data, 568)) < unixTimestamp,
  readMultiplier: (data) => ({ kind: 'ratio', numerator: readU128(data, 464), denominator: INTEREST_PRECISION }),
  scaleFixed: (price, multiplier) =>
    multiplier.kind === 'ratio'
      ? multiplyI80F48(
          price,
          divideI80F48(integerToI80F48(multiplier.numerator), integerToI80F48(multiplier.denominator)),
        )
      : price,
};
