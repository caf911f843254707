import { DEMO_FEEDS, type DemoFeed, type DemoFeedName } from './feeds.ts';
import { NOISE_FULL, noiseAt, type Octave } from './noise.ts';
import { dipPpmAt } from './price-dips.ts';

/** Six seconds, a minute, ten minutes and two hours between turns at 400 ms a slot. */
const OCTAVES: readonly Octave[] = [
  { slots: 15, share: 0.03 },
  { slots: 150, share: 0.12 },
  { slots: 1_500, share: 0.35 },
  { slots: 18_000, share: 0.5 },
];

/** The EMA is the mean of ten readings a minute apart. */
const EMA_READINGS = 10;
const EMA_STEP_SLOTS = 150;

const PPM = 1_000_000n;
const BILLION = BigInt(NOISE_FULL);

/** A price, its mean over the last minutes, and its uncertainty, all as raw × 10^exponent of the feed. */
export interface WalkedPrice {
  readonly price: bigint;
  readonly ema: bigint;
  readonly confidence: bigint;
}

/**
 * The price of a feed at a slot: never further from its base than the feed (and the one it follows) may stray,
 * but for the dips of some.
 * Deterministic in seed and slot.
 */
export function priceAt(feedName: DemoFeedName, seed: number, slot: bigint): WalkedPrice {
  const feed: DemoFeed = DEMO_FEEDS[feedName];
  const price = spotAt(feedName, seed, slot);
  const readings = Array.from({ length: EMA_READINGS }, (_, index) =>
    spotAt(feedName, seed, slot - BigInt(index * EMA_STEP_SLOTS)),
  );
  const ema = readings.reduce((sum, reading) => sum + reading, 0n) / BigInt(EMA_READINGS);
  const confidence = (price * BigInt(feed.confidencePpm)) / PPM;
  return { price, ema, confidence: confidence > 0n ? confidence : 1n };
}

function spotAt(feedName: DemoFeedName, seed: number, slot: bigint): bigint {
  const feed: DemoFeed = DEMO_FEEDS[feedName];
  const own = strayed(feed.baseRaw, feedName, feed, seed, slot);
  if (feed.follows === undefined) return own;
  const leader: DemoFeed = DEMO_FEEDS[feed.follows as DemoFeedName];
  return strayed(own, feed.follows, leader, seed, slot);
}

function strayed(raw: bigint, name: DemoFeedName, feed: DemoFeed, seed: number, slot: bigint): bigint {
  const noise = BigInt(noiseAt(seed, `price ${name}`, Number(slot < 0n ? 0n : slot), OCTAVES));
  const walked = raw + (raw * BigInt(feed.strayPpm) * noise) / (PPM * BILLION);
  return walked - (walked * BigInt(dipPpmAt(name, slot))) / PPM;
}
