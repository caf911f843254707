import { describe, expect, it } from 'vitest';
import type { ChartLine } from './chart-line.ts';
import { boundsOutside, scaleOf } from './chart-scale.ts';

const line = (values: readonly (number | null)[], more: Partial<ChartLine> = {}): ChartLine => ({
  key: 'x',
  label: 'X',
  colour: 1,
  values,
  ...more,
});

describe('scaleOf', () => {
  it('begins rates and amounts at nothing, or below where values are', () => {
    expect(scaleOf('rate', [line([3, null, 4])])).toEqual([0, 4.32]);
    const [low, high] = scaleOf('rate', [line([-1, 1])]);
    expect(low).toBeLessThan(-1);
    expect(high).toBeGreaterThan(1);
  });

  it('shows the whole of a share, and more where there is more', () => {
    expect(scaleOf('share', [line([65])])).toEqual([0, 100]);
    expect(scaleOf('share', [line([104])])).toEqual([0, 104]);
  });

  it('does not make a move of a price that only trembled', () => {
    const [low, high] = scaleOf('price', [line([1, 1.0001])]);
    expect(high - low).toBeCloseTo(0.0116, 4);
    const [from, to] = scaleOf('price', [line([100, 200])]);
    expect([from, to]).toEqual([92, 208]);
  });

  it('shows a bound that is near, and says which is far', () => {
    const amounts = line([10]);
    const near = line([null, 20], { isBound: true, label: 'Near' });
    const far = line([400], { isBound: true, label: 'Far' });
    const range = scaleOf('amount', [amounts, near, far]);
    expect(range[1]).toBeCloseTo(21.6);
    expect(boundsOutside([amounts, near, far], range).map(({ label }) => label)).toEqual(['Far']);
  });

  it.each(['rate', 'share', 'amount', 'price'] as const)(
    'has a %s range where nothing is known or all is zero',
    (kind) => {
      for (const values of [[null], [0, 0]]) {
        const [low, high] = scaleOf(kind, [line(values)]);
        expect(high).toBeGreaterThan(low);
      }
    },
  );
});
