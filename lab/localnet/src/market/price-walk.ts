import { DEMO_FEEDS, type DemoFeed, type DemoFeedName } from './feeds.ts';
import { NOISE_FULL, noiseAt, type Octave } from './noise.ts';

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

/** A fall that comes again and again: how often, how long, how deep. */
interface Dip {
  readonly everySlots: number;
  /** Slots after a multiple of `everySlots` at which it begins. */
  readonly afterSlots: number;
  readonly lastsSlots: number;
  readonly depthPpm: number;
}

/**
 * JUP loses a third for three minutes twice an hour (at 400 ms a slot), so that whoever borrows nearly all that it allows is
 * liquidated now and then: between its initial and its maintenance weights lies a fall of 27 % against a dollar. USDS loses one and a half
 * percent for two minutes every hour and a half, which trips its bank's circuit breaker; a fall of what is owed harms no borrower.
 */
const DIPS: Readonly<Partial<Record<DemoFeedName, Dip>>> = {
  JUP: { everySlots: 4_500, afterSlots: 2_000, lastsSlots: 450, depthPpm: 330_000 },
  USDS: { everySlots: 13_500, afterSlots: 9_000, lastsSlots: 300, depthPpm: 15_000 },
};

/** The deepest a feed ever dips, in millionths of its price. */
export function deepestDipPpm(feed: DemoFeedName): number {
  return DIPS[feed]?.depthPpm ?? 0;
}

/** How far a feed is down at a slot, in millionths of its price: it falls in a tenth of the dip and comes back in a third of it. */
export function dipPpmAt(feed: DemoFeedName, slot: bigint): number {
  const dip = DIPS[feed];
  if (dip === undefined || slot < 0n) return 0;
  const since = (Number(slot % BigInt(dip.everySlots)) - dip.afterSlots + dip.everySlots) % dip.everySlots;
  if (since >= dip.lastsSlots) return 0;
  const [fall, recovery] = [dip.lastsSlots / 10, dip.lastsSlots / 3];
  const share = Math.min(since / fall, (dip.lastsSlots - since) / recovery, 1);
  return Math.round(dip.depthPpm * share);
}
