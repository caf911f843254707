import { PYTH_RECEIVER_PROGRAM, pullFeedLayout, SWITCHBOARD_ON_DEMAND_PROGRAM } from '@lending/programs';
import { madeBytes, priceUpdateBytes, pullFeedBytes } from '@lending/programs/testing/made-accounts.ts';
import type { AccountBytes } from '#account.ts';
import { FEED } from './made-bank.ts';

/** 150 USD within a dollar, 149 on average within half of one. */
export function madePyth(
  publishTime: bigint,
  fields: Partial<Parameters<typeof priceUpdateBytes>[1]> = {},
  level: 'Full' | 'Partial' = 'Full',
): AccountBytes {
  const average = { emaPrice: 14_900_000_000n, emaConf: 50_000_000n };
  const message = { price: 15_000_000_000n, conf: 100_000_000n, ...average, ...fields };
  const verification = level === 'Full' ? ({ __kind: 'Full' } as const) : { __kind: level, numSignatures: 5 };
  return { address: FEED, owner: PYTH_RECEIVER_PROGRAM, data: priceUpdateBytes(publishTime, message, verification) };
}

export const emptyPullFeed = madeBytes(pullFeedLayout);

/** 2 USD, certain. */
export function madeSwitchboard(
  lastUpdateTimestamp: bigint,
  result: Parameters<typeof pullFeedBytes>[1] = {},
): AccountBytes {
  const data = pullFeedBytes(lastUpdateTimestamp, { value: 2n * 10n ** 18n, ...result });
  return { address: FEED, owner: SWITCHBOARD_ON_DEMAND_PROGRAM, data };
}
