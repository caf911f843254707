import { describe, expect, it } from 'vitest';
import { aprToApy } from './apy.ts';

describe('aprToApy', () => {
  it('compounds by the hour', () => {
    expect(aprToApy(0.1)).toBeCloseTo((1 + 0.1 / 8766) ** 8766 - 1, 10);
  });

  it('is zero at zero, and exact for rates far below one hour', () => {
    expect(aprToApy(0)).toBe(0);
    expect(aprToApy(1e-12)).toBeCloseTo(1e-12, 20);
  });
});
