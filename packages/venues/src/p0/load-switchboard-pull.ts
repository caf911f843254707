import { pullFeedLayout, SWITCHBOARD_ON_DEMAND_PROGRAM } from '@lending/programs';
import type { AccountBytes } from '../account.ts';
import type { Moment } from '../moment.ts';
import type { P0Oracle } from './bank.ts';
import type { OracleFreshness } from './oracle-freshness.ts';
import { OracleRefused } from './oracle-refused.ts';
import type { PriceFeed } from './price-feed.ts';

/**
 * Reads a Switchboard pull feed as the program does: its owner counts, the median is the price, and there is no average.
 * @throws OracleRefused
 * @see marginfi-v2 programs/marginfi/src/state/price.rs `SwitchboardPullPriceFeed::load_checked`
 */
export function loadSwitchboardPull(
  oracle: P0Oracle,
  account: AccountBytes | null,
  moment: Moment,
  freshness: OracleFreshness,
): PriceFeed & { readonly kind: 'switchboard' } {
  if (account === null) throw new OracleRefused('feed_missing', 'SwitchboardWrongAccountOwner');
  if (account.owner !== SWITCHBOARD_ON_DEMAND_PROGRAM)
    throw new OracleRefused('feed_owner_mismatch', 'SwitchboardWrongAccountOwner');
  if (!pullFeedLayout.discriminator.every((byte, index) => account.data[index] === byte))
    throw new OracleRefused('feed_malformed', 'SwitchboardInvalidAccount');
  // The program slices past the end and aborts.
  if (account.data.length < pullFeedLayout.fixedSize) throw new OracleRefused('feed_malformed', null);
  const { result, lastUpdateTimestamp } = pullFeedLayout.decode(account.data);
  if (moment.unixTimestamp - lastUpdateTimestamp > BigInt(oracle.maxAgeSeconds))
    freshness.feed('SwitchboardStalePrice');
  return { kind: 'switchboard', value: result.value, publishTime: lastUpdateTimestamp };
}
