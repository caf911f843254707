import {
  type PriceUpdateV2,
  type PullFeed,
  PYTH_RECEIVER_PROGRAM,
  priceUpdateV2Layout,
  pullFeedLayout,
  SWITCHBOARD_ON_DEMAND_PROGRAM,
} from '@lending/programs';
import type { AccountBytes } from '#account.ts';
import { FEED } from './made-bank.ts';

/** 150 USD within a dollar, 149 on average within half of one. */
export function madePyth(
  publishTime: bigint,
  fields: Partial<PriceUpdateV2['priceMessage']> = {},
  level: 'Full' | 'Partial' = 'Full',
): AccountBytes {
  const data = priceUpdateV2Layout.encode({
    writeAuthority: FEED,
    verificationLevel: level === 'Full' ? { __kind: 'Full' } : { __kind: 'Partial', numSignatures: 5 },
    priceMessage: {
      feedId: new Uint8Array(32),
      price: 15_000_000_000n,
      conf: 100_000_000n,
      exponent: -8,
      publishTime,
      prevPublishTime: publishTime,
      emaPrice: 14_900_000_000n,
      emaConf: 50_000_000n,
      ...fields,
    },
    postedSlot: 1n,
  });
  return { address: FEED, owner: PYTH_RECEIVER_PROGRAM, data: Uint8Array.from(data) };
}

export const emptyPullFeed = new Uint8Array(pullFeedLayout.fixedSize);
emptyPullFeed.set(pullFeedLayout.discriminator);
const zero = pullFeedLayout.decode(emptyPullFeed);

/** 2 USD, certain. */
export function madeSwitchboard(lastUpdateTimestamp: bigint, result: Partial<PullFeed['result']> = {}): AccountBytes {
  const feed = { ...zero, lastUpdateTimestamp, result: { ...zero.result, value: 2n * 10n ** 18n, ...result } };
  const data = Uint8Array.from(pullFeedLayout.encode(feed));
  return { address: FEED, owner: SWITCHBOARD_ON_DEMAND_PROGRAM, data };
}
