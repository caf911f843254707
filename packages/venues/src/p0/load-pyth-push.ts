import { type PriceUpdateV2, priceUpdateV2Layout } from '@lending/programs';
import type { AccountBytes } from '../account.ts';
import type { Moment } from '../moment.ts';
import type { P0Oracle } from './bank.ts';
import type { OracleFreshness } from './oracle-freshness.ts';
import { OracleRefused, UNREADABLE } from './oracle-refused.ts';
import type { PriceFeed } from './price-feed.ts';

/**
 * Reads a Pyth price update as the program does. It trusts the bank's key and the discriminator, not the owner, and takes fully
 * verified updates only.
 * @throws OracleRefused
 * @see marginfi-v2 programs/marginfi/src/state/price.rs `PythPushOraclePriceFeed::load_checked`
 */
export function loadPythPush(
  oracle: P0Oracle,
  account: AccountBytes | null,
  moment: Moment,
  freshness: OracleFreshness,
): PriceFeed & { readonly kind: 'pyth' } {
  if (account === null) throw new OracleRefused('feed_missing', 'PythPushInvalidAccount');
  const { verificationLevel, priceMessage } = decodeUpdate(account.data);
  if (verificationLevel.__kind !== 'Full')
    throw new OracleRefused('feed_partially_verified', 'PythPushInsufficientVerificationLevel');
  const { price, conf, emaPrice, emaConf, exponent, publishTime } = priceMessage;
  if (publishTime + BigInt(oracle.maxAgeSeconds) < moment.unixTimestamp) freshness.feed('PythPushStalePrice');
  return { kind: 'pyth', price, conf, emaPrice, emaConf, exponent, publishTime };
}

function decodeUpdate(data: Uint8Array): PriceUpdateV2 {
  if (!priceUpdateV2Layout.discriminator.every((byte, index) => data[index] === byte))
    throw new OracleRefused('feed_malformed', 'PythPushInvalidAccount');
  try {
    return priceUpdateV2Layout.decode(data);
  } catch {
    throw new OracleRefused('feed_malformed', UNREADABLE);
  }
}
