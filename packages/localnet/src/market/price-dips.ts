import type { DemoFeedName } from './feeds.ts';

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
