import {
  NO_KEY,
  PRICE_UPDATE_V2_SIZE,
  PYTH_RECEIVER_PROGRAM,
  priceUpdateV2Layout,
  pullFeedLayout,
  SWITCHBOARD_MAINNET_QUEUE,
  SWITCHBOARD_ON_DEMAND_PROGRAM,
} from '@lending/programs';
import type { AccountState } from '#engine/engine.ts';
import { feedHashOf } from '#switchboard/demo-jobs.ts';
import type { DemoFeed, DemoFeedName, PythFeed } from './feeds.ts';
import type { WalkedPrice } from './price-walk.ts';
import { rentExempt } from './rent.ts';

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
  return { lamports: rentExempt(data.length), owner: PYTH_RECEIVER_PROGRAM, data, executable: false };
}

/** One agreed result and no submissions behind it: nobody who reads a price looks at them. */
function switchboardAccount(name: DemoFeedName, { price, confidence }: WalkedPrice, at: PriceMoment): AccountState {
  const data = new Uint8Array(
    pullFeedLayout.encode({
      submissions: Array.from({ length: 32 }, () => ({ oracle: NO_KEY, slot: 0n, landedAt: 0n, value: 0n })),
      authority: NO_KEY,
      queue: SWITCHBOARD_MAINNET_QUEUE,
      feedHash: feedHashOf(name),
      initializedAt: 0n,
      permissions: 0n,
      maxVariance: 10_000_000_000n,
      minResponses: 1,
      name: paddedText(`${name}/USD`, 32),
      padding1: new Uint8Array(1),
      permitWriteByAuthority: 0,
      historicalResultIdx: 0,
      minSampleSize: 1,
      lastUpdateTimestamp: at.unixTimestamp,
      lutSlot: 0n,
      _reserved1: new Uint8Array(32),
      result: {
        value: price,
        stdDev: confidence,
        mean: price,
        range: 2n * confidence,
        minValue: price - confidence,
        maxValue: price + confidence,
        numSamples: 3,
        submissionIdx: 0,
        padding1: new Uint8Array(6),
        slot: at.slot,
        minSlot: at.slot,
        maxSlot: at.slot,
      },
      maxStaleness: 250,
      padding2: new Uint8Array(12),
      historicalResults: Array.from({ length: 32 }, () => ({ stdDev: 0, mean: 0, slot: 0n })),
      _ebuf4: new Uint8Array(8),
      _ebuf3: new Uint8Array(24),
      submissionTimestamps: Array.from({ length: 32 }, () => 0n),
    }),
  );
  if (data.length !== pullFeedLayout.fixedSize)
    throw new TypeError(`A pull feed has ${pullFeedLayout.fixedSize} bytes, not ${data.length}`);
  return { lamports: rentExempt(data.length), owner: SWITCHBOARD_ON_DEMAND_PROGRAM, data, executable: false };
}

function paddedText(text: string, size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  bytes.set(new TextEncoder().encode(text));
  return bytes;
}
