import {
  PRICE_UPDATE_V2_SIZE,
  PYTH_RECEIVER_PROGRAM,
  priceUpdateV2Layout,
  pullFeedLayout,
  SWITCHBOARD_MAINNET_QUEUE,
  SWITCHBOARD_ON_DEMAND_PROGRAM,
} from '@lending/programs';
import type { AccountState } from '#engine/engine.ts';
import { feedHashOf } from '#switchboard/demo-jobs.ts';
import { accountOf, madeOf } from './account-state.ts';
import type { DemoFeed, DemoFeedName, PythFeed } from './feeds.ts';
import type { WalkedPrice } from './price-walk.ts';

/** When a price was made. */
export interface PriceMoment {
  readonly slot: bigint;
  readonly unixTimestamp: bigint;
}

/** The feed's account as it stands right after publishing a price. */
export function oracleAccount(name: DemoFeedName, feed: DemoFeed, walked: WalkedPrice, at: PriceMoment): AccountState {
  return feed.kind === 'pyth' ? pythAccount(feed, walked, at) : switchboardAccount(name, walked, at);
}

/** A push account names itself as write authority, and is fully verified. */
function pythAccount(feed: PythFeed, { price, ema, confidence }: WalkedPrice, at: PriceMoment): AccountState {
  const encoded = priceUpdateV2Layout.encode({
    writeAuthority: feed.account,
    verificationLevel: { __kind: 'Full' },
    priceMessage: {
      feedId: Buffer.from(feed.feedId, 'hex'),
      price,
      conf: confidence,
      exponent: feed.exponent,
      publishTime: at.unixTimestamp,
      prevPublishTime: at.unixTimestamp - 1n,
      emaPrice: ema,
      emaConf: confidence,
    },
    postedSlot: at.slot,
  });
  const data = new Uint8Array(PRICE_UPDATE_V2_SIZE);
  data.set(encoded);
  return accountOf(PYTH_RECEIVER_PROGRAM, data);
}

/** One agreed result and no submissions behind it: nobody who reads a price looks at them. */
function switchboardAccount(name: DemoFeedName, { price, confidence }: WalkedPrice, at: PriceMoment): AccountState {
  return madeOf(SWITCHBOARD_ON_DEMAND_PROGRAM, pullFeedLayout, (zero) => ({
    ...zero,
    queue: SWITCHBOARD_MAINNET_QUEUE,
    feedHash: feedHashOf(name),
    maxVariance: 10_000_000_000n,
    minResponses: 1,
    name: paddedText(`${name}/USD`, 32),
    minSampleSize: 1,
    lastUpdateTimestamp: at.unixTimestamp,
    result: {
      ...zero.result,
      value: price,
      stdDev: confidence,
      mean: price,
      range: 2n * confidence,
      minValue: price - confidence,
      maxValue: price + confidence,
      numSamples: 3,
      slot: at.slot,
      minSlot: at.slot,
      maxSlot: at.slot,
    },
    maxStaleness: 250,
  }));
}

function paddedText(text: string, size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  bytes.set(new TextEncoder().encode(text));
  return bytes;
}
