import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NOISE_FULL, noiseAt, type Octave } from './noise.ts';

const OCTAVES: readonly Octave[] = [
  { slots: 10, share: 0.4 },
  { slots: 1_000, share: 0.6 },
];

describe('noiseAt', () => {
  it('stays within the full swing and is a whole number', () => {
    fc.assert(
      fc.property(fc.integer(), fc.string(), fc.nat(500_000_000), (seed, name, slot) => {
        const noise = noiseAt(seed, name, slot, OCTAVES);
        expect(Number.isInteger(noise)).toBe(true);
        expect(Math.abs(noise)).toBeLessThanOrEqual(NOISE_FULL);
      }),
    );
  });

  it('is the same again for the same seed, name and slot, and another path for another seed or name', () => {
    const path = (seed: number, name: string) => [3, 40, 700].map((slot) => noiseAt(seed, name, slot, OCTAVES));
    expect(path(1, 'a')).toEqual(path(1, 'a'));
    expect(path(1, 'a')).not.toEqual(path(2, 'a'));
    expect(path(1, 'a')).not.toEqual(path(1, 'b'));
  });

  it('moves from slot to slot in small steps', () => {
    for (let slot = 0; slot < 2_000; slot += 1) {
      const step = Math.abs(noiseAt(7, 'x', slot + 1, OCTAVES) - noiseAt(7, 'x', slot, OCTAVES));
      expect(step).toBeLessThanOrEqual(2 * NOISE_FULL * (0.4 / 10 + 0.6 / 1_000) + 1);
    }
  });
});
