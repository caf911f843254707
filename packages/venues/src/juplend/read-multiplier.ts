import { divideI80F48, integerToI80F48, multiplyI80F48 } from '@lending/domain';
import { JUPLEND_LENDING_PROGRAM, juplendLendingLayout } from '@lending/programs';
import type { VenueRate } from '../venue-rate.ts';

const EXCHANGE_PRICE_PRECISION = 10n ** 12n;

/**
 * Tokens per fToken of a JupLend lending account.
 * @see marginfi-v2 programs/juplend-mocks/src/state.rs `Lending`
 */
export const juplendRate: VenueRate = {
  account: 'juplend_lending',
  owner: JUPLEND_LENDING_PROGRAM,
  discriminator: juplendLendingLayout.discriminator,
  size: juplendLendingLayout.fixedSize,
  errors: { invalid: 'JuplendLendingValidationFailed', stale: 'JuplendLendingStale' },
  freshBy: 'second',
  read: (data) => {
    const { lastUpdateTimestamp, tokenExchangePrice: numerator } = juplendLendingLayout.decode(data);
    return {
      updatedAt: BigInt.asIntN(64, lastUpdateTimestamp),
      computeMultiplier: () => ({ kind: 'ratio', numerator, denominator: EXCHANGE_PRICE_PRECISION }),
    };
  },
  scaleFixed: (price, multiplier) => {
    if (multiplier.kind === 'factor') return multiplyI80F48(price, multiplier.value);
    // Unlike Drift's, a fixed price is multiplied before it is divided.
    const product = multiplyI80F48(price, integerToI80F48(multiplier.numerator));
    return divideI80F48(product, integerToI80F48(multiplier.denominator));
  },
};
