import { divideI80F48, integerToI80F48, multiplyI80F48, wrapToI80F48 } from '@lending/domain';
import { DRIFT_PROGRAM, driftSpotMarketLayout } from '@lending/programs';
import type { VenueRate } from '../venue-rate.ts';

const INTEREST_PRECISION = 10n ** 10n;

/**
 * Tokens per scaled balance of a Drift spot market.
 * @see marginfi-v2 programs/drift-mocks/src/state.rs `MinimalSpotMarket`
 */
export const driftRate: VenueRate = {
  account: 'drift_spot_market',
  owner: DRIFT_PROGRAM,
  discriminator: driftSpotMarketLayout.discriminator,
  size: driftSpotMarketLayout.fixedSize,
  errors: { invalid: 'DriftSpotMarketValidationFailed', stale: 'DriftSpotMarketStale' },
  freshBy: 'second',
  read: (data) => {
    const { lastInterestTs, cumulativeDepositInterest: numerator } = driftSpotMarketLayout.decode(data);
    return {
      updatedAt: BigInt.asIntN(64, lastInterestTs),
      computeMultiplier: () => ({ kind: 'ratio', numerator, denominator: INTEREST_PRECISION }),
    };
  },
  scaleFixed: (price, multiplier) => {
    if (multiplier.kind === 'factor') return multiplyI80F48(price, multiplier.value);
    const [numerator, denominator] = [wrapToI80F48(multiplier.numerator), integerToI80F48(multiplier.denominator)];
    return multiplyI80F48(price, divideI80F48(numerator, denominator));
  },
};
