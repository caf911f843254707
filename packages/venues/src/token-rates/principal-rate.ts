import { divideI80F48, type I80F48, I80F48_ONE, integerToI80F48, multiplyI80F48, smallerOf } from '@lending/domain';
import { EXPONENT_PROGRAM, type ExponentVault, exponentVaultLayout } from '@lending/programs';
import { OracleRefused } from '../p0/oracle-refused.ts';
import { loadRateAccount } from './load-rate-account.ts';
import type { TokenRate } from './token-rate.ts';

const INVALID = 'ExponentVaultValidationFailed';
const SY_RATE_PRECISION = integerToI80F48(10n ** 12n);
/** How far off a maturity may be: five years, in seconds. */
const MAX_TERM = 5n * 365n * 24n * 60n * 60n;

/**
 * Asset for one principal token of an Exponent vault: from the bank's start price it rises in a straight line to 1 at maturity, and never
 * above what backs it. A vault in emergency has no rate: here that holds in a deleverage too, where 0.1.12 prices it all the same.
 * @see marginfi-v2 programs/marginfi/src/state/lst_stake_price.rs `pt_linear_multiplier`
 */
export const principalRate: TokenRate = {
  account: 'exponent_vault',
  canBeStale: false,
  load: (source) => {
    const { discriminator } = exponentVaultLayout;
    const data = loadRateAccount(source, { owners: [EXPONENT_PROGRAM], discriminator, invalid: INVALID });
    // The program slices past the end and aborts.
    if (data.length < exponentVaultLayout.fixedSize) throw new OracleRefused('rate_account_malformed', null);
    const vault = exponentVaultLayout.decode(data);
    if (toInteger(vault.allTimeHighSyExchangeRate) > toInteger(vault.lastSeenSyExchangeRate))
      throw new OracleRefused('vault_in_emergency', INVALID);
    const expected = expectedRate(vault, source.oracle.fixedPrice, source.moment.unixTimestamp);
    return smallerOf(expected, backingRate(vault));
  },
};

function expectedRate({ startTs, duration }: ExponentVault, startPrice: I80F48, now: bigint): I80F48 {
  const [start, term] = [BigInt(startTs), BigInt(duration)];
  if (term === 0n || start + term > now + MAX_TERM) throw new OracleRefused('vault_term_invalid', INVALID);
  // The program has no line that falls.
  if (startPrice > I80F48_ONE) throw new OracleRefused('price_out_of_range', 'MathError');
  if (now <= start) return startPrice;
  if (now >= start + term) return I80F48_ONE;
  const progress = divideI80F48(integerToI80F48(now - start), integerToI80F48(term));
  return startPrice + multiplyI80F48(I80F48_ONE - startPrice, progress);
}

/** What one principal token can be redeemed for, in asset. */
function backingRate({ lastSeenSyExchangeRate, syForPt, ptSupply }: ExponentVault): I80F48 {
  const [assetPerSy = 0n, ...upper] = lastSeenSyExchangeRate;
  if (ptSupply === 0n || assetPerSy === 0n || upper.some((word) => word !== 0n))
    throw new OracleRefused('rate_out_of_range', INVALID);
  const syPerToken = divideI80F48(integerToI80F48(syForPt), integerToI80F48(ptSupply));
  return multiplyI80F48(syPerToken, divideI80F48(integerToI80F48(assetPerSy), SY_RATE_PRECISION));
}

function toInteger(words: readonly bigint[]): bigint {
  return words.reduceRight((high, word) => (high << 64n) | word, 0n);
}
