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

function turningPoint(seed: number, name: string, slots: number, index: number): number {
  const digest = hash('sha256', `${seed}/${name}/${slots}/${index}`, 'buffer') as unknown as Buffer;
  return Math.trunc((digest.readInt32LE(0) / 2 ** 31) * NOISE_FULL);
}
