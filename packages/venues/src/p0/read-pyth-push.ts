import {
  divideI80F48,
  formatI80F48,
  type I80F48,
  integerToI80F48,
  multiplyI80F48,
  parseI80F48,
  scientificToDecimal,
} from '@lending/domain';
import { getPriceUpdateV2Decoder, PRICE_UPDATE_V2_DISCRIMINATOR, type PriceUpdateV2 } from '@lending/programs';
import type { AccountBytes } from '../account.ts';
import type { P0Oracle } from './bank.ts';
import { priceBand } from './price-band.ts';
import { type PriceReading, unavailable } from './price-reading.ts';

/**
 * How many of the feed's confidence intervals the program takes for certain.
 * @see marginfi-v2 type-crate/src/constants.rs `CONF_INTERVAL_MULTIPLE`
 */
const INTERVALS = parseI80F48('2.12');
/**
 * The program's table of powers of ten ends here.
 * @see marginfi-v2 type-crate/src/constants.rs `EXP_10_I80F48`
 */
const MAX_EXPONENT = 23;
const decoder = getPriceUpdateV2Decoder();

/**
 * Reads a Pyth price update as the program does. It trusts the bank's key and the discriminator, not the owner, and
 * takes fully verified updates only.
 */
export function readPythPush(oracle: P0Oracle, feed: AccountBytes, unixTimestamp: bigint): PriceReading {
  const update = decodeUpdate(feed.data);
  if (update === null) return unavailable('feed_malformed');
  if (update.verificationLevel.__kind !== 'Full') return unavailable('feed_partially_verified');
  const { price, conf, exponent, publishTime, emaPrice, emaConf } = update.priceMessage;
  if (price <= 0n) return unavailable('price_not_positive');
  if (Math.abs(exponent) > MAX_EXPONENT) return unavailable('price_out_of_range');
  const band = priceBand(oracle, scale(price, exponent), intervalOf(conf, exponent));
  if (band === null) return unavailable('confidence_too_wide');
  const ema = emaPrice <= 0n ? null : priceBand(oracle, scale(emaPrice, exponent), intervalOf(emaConf, exponent));
  return {
    kind: 'priced',
    priceUsd: scientificToDecimal(price, exponent),
    emaPriceUsd: emaPrice <= 0n ? null : scientificToDecimal(emaPrice, exponent),
    lowUsd: formatI80F48(band.low),
    highUsd: formatI80F48(band.high),
    fixed: { ...band, ema },
    publishTime,
    isStale: publishTime + BigInt(oracle.maxAgeSeconds) < unixTimestamp,
  };
}

function decodeUpdate(data: Uint8Array): PriceUpdateV2 | null {
  if (!PRICE_UPDATE_V2_DISCRIMINATOR.every((byte, index) => data[index] === byte)) return null;
  try {
    return decoder.decode(data);
  } catch {
    return null;
  }
}

function intervalOf(conf: bigint, exponent: number): I80F48 {
  return multiplyI80F48(scale(conf, exponent), INTERVALS);
}

function scale(mantissa: bigint, exponent: number): I80F48 {
  const power = integerToI80F48(10n ** BigInt(Math.abs(exponent)));
  const value = integerToI80F48(mantissa);
  return exponent < 0 ? divideI80F48(value, power) : multiplyI80F48(value, power);
}
