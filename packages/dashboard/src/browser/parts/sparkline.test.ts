import { describe, expect, it } from 'vitest';
import { sparklineShape } from './sparkline.ts';

describe('sparklineShape', () => {
  it('runs from the lowest at the bottom to the highest at the top', () => {
    expect(sparklineShape([1, 2, 3])).toEqual({ path: 'M3 25L48 14L93 3', dots: [] });
  });

  it('breaks at what is not known, and carries nothing across', () => {
    expect(sparklineShape([1, 3, null, 3, 1]).path.match(/M/g)).toHaveLength(2);
  });

  it('shows a value without neighbours as a dot', () => {
    expect(sparklineShape([null, 4, null])).toEqual({ path: '', dots: [[48, 14]] });
  });

  it('draws what does not change through the middle', () => {
    expect(sparklineShape([5, 5])).toEqual({ path: 'M3 14L93 14', dots: [] });
  });

  it('draws nothing of nothing', () => {
    expect(sparklineShape([])).toEqual({ path: '', dots: [] });
    expect(sparklineShape([null, null])).toEqual({ path: '', dots: [] });
  });
});
