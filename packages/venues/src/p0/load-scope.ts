import { placeOf, SCOPE_PROGRAM, type ScopePrice, scopePricesLayout } from '@lending/programs';
import type { AccountBytes } from '../account.ts';
import type { Moment } from '../moment.ts';
import type { P0Oracle } from './bank.ts';
import type { OracleFreshness } from './oracle-freshness.ts';
import { OracleRefused } from './oracle-refused.ts';
import type { PriceFeed } from './price-feed.ts';

const ENTRIES = 512;
/**
 * The program's table of powers of ten ends before this one.
 * @see marginfi-v2 type-crate/src/constants.rs `MAX_EXP_10_I80F48`
 */
const END_OF_POWERS = 24n;

/**
 * Reads the bank's price in a table of Scope's as the program does: it has no interval and no average.
 * @throws OracleRefused
 * @see marginfi-v2 programs/marginfi/src/state/price.rs `ScopePriceFeed::load_checked`
 */
export function loadScope(
  oracle: P0Oracle,
  account: AccountBytes | null,
  moment: Moment,
  freshness: OracleFreshness,
): PriceFeed & { readonly kind: 'scope' } {
  if (account === null) throw new OracleRefused('feed_missing', 'ScopeInvalidAccount');
  if (account.owner !== SCOPE_PROGRAM) throw new OracleRefused('feed_owner_mismatch', 'ScopeInvalidAccount');
  const { price, unixTimestamp } = readEntry(account.data, oracle.scopeEntry);
  const isDated = unixTimestamp > 0n && unixTimestamp <= moment.unixTimestamp;
  if (price.value === 0n || price.exp >= END_OF_POWERS || !isDated)
    throw new OracleRefused('feed_entry_invalid', 'ScopeInvalidEntry');
  if (moment.unixTimestamp - unixTimestamp > BigInt(oracle.maxAgeSeconds)) freshness.feed('ScopeStalePrice');
  return { kind: 'scope', value: price.value, exponent: -Number(price.exp), publishTime: unixTimestamp };
}

function readEntry(data: Uint8Array, entry: number): ScopePrice {
  const { discriminator, fixedSize } = scopePricesLayout;
  // A longer account is none either.
  if (!discriminator.every((byte, index) => data[index] === byte) || data.length !== fixedSize)
    throw new OracleRefused('feed_malformed', 'ScopeInvalidAccount');
  if (entry >= ENTRIES) throw new OracleRefused('feed_entry_invalid', 'ScopeInvalidEntry');
  const { offset, type } = placeOf(scopePricesLayout, `prices.${entry}`);
  return type.decode(data, offset) as ScopePrice;
}
