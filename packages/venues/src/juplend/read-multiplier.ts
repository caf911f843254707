import { divideI80F48, integerToI80F48, multiplyI80F48 } from '@lending/domain';
import { address } from '@solana/kit';
import { readU64 } from '../little-endian.ts';
import type { VenueRate } from '../venue-rate.ts';

const EXCHANGE_PRICE_PRECISION = 10n ** 12n;

/**
 * Tokens per fToken of a JupLend lending account, which must be updated in this second.
 * @see marginfi-v2 programs/juplend-mocks/src/state.rs `Lending`
 */
export const juplendRate: VenueRate = {
  owner: address('jup3YeL8QhtSx1e253b2FDvsMNC87fDrgQZivbrndc9'),
  discriminator: new Uint8Array([135, 199, 82, 16, 249, 131, 182, 241]),
  size: 196,
  errors: { invalid: 'JuplendLendingValidationFailed', stale: 'JuplendLendingStale' },
  isStale: (data, { unixTimestamp }) => BigInt.asIntN(64, readU64(data, 123)) < unixTimestamp,
  readMultiplier: (data) => ({ kind: 'ratio', numerator: readU64(data, 115), denominator: EXCHANGE_PRICE_PRECISION }),
  // Unlike Drift's, a fixed price is multiplied before it is divided.
  scaleFixed: (price, multiplier) =>
    multiplier.kind === 'ratio'
      ? divideI80F48(
          multiplyI80F48(price, integerToI80F48(multiplier.numerator)),
          integerToI80F48(multiplier.denominator),
        )
      : price,
};
