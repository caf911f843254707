import { hash } from 'node:crypto';

/** One layer of movement: how many slots pass between two turning points, and its share of the whole. */
export interface Octave {
  readonly slots: number;
  readonly share: number;
}

/** What `noiseAt` returns at most, and minus it at least. */
export const NOISE_FULL = 1_000_000_000;

/**
 * A number that wanders with the slots: a pure function of its arguments, so that a chain that restarts, or a test, sees the
 * same path again. Straight lines between seeded turning points, summed over layers of different length.
 * Units: billionths of the full swing; whole numbers, within ±NOISE_FULL when the shares add up to at most 1.
 */
export function noiseAt(seed: number, name: string, slot: number, octaves: readonly Octave[]): number {
  const sum = octaves.reduce((total, { slots, share }) => {
    const before = Math.floor(slot / slots);
    const from = turningPoint(seed, name, slots, before);
    const to = turningPoint(seed, name, slots, before + 1);
    return total + share * (from + ((to - from) * (slot - before * slots)) / slots);
  }, 0);
  return Math.trunc(sum);
}

/** A price and its mean take two hundred of them, nearly all of which the slot before took too; all feeds together take a few thousand. */
const MOST_KNOWN = 10_000;
const knownPoints = new Map<string, number>();

function turningPoint(seed: number, name: string, slots: number, index: number): number {
  const key = `${seed}/${name}/${slots}/${index}`;
  const known = knownPoints.get(key);
  if (known !== undefined) return known;
  const digest = hash('sha256', key, 'buffer') as unknown as Buffer;
  const point = Math.trunc((digest.readInt32LE(0) / 2 ** 31) * NOISE_FULL);
  if (knownPoints.size >= MOST_KNOWN) knownPoints.clear();
  knownPoints.set(key, point);
  return point;
}
