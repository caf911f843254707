import { type ChartLine, isBlank } from './chart-line.ts';

/** Lowest and highest value that a chart shows. */
export type ScaleRange = readonly [low: number, high: number];

/**
 * How the values of a chart are laid out.
 * `rate` and `amount` begin at nothing (or below, where values do), so that heights compare. `share` is percent of a whole. `price` shows
 * the range it moved in, but not so closely that noise looks like a move.
 */
export type ScaleKind = 'rate' | 'share' | 'amount' | 'price';

/** Room above and below the values, as a part of their range. */
const PAD = 0.08;
/** A price that moved less than this part of itself is drawn as nearly flat. */
const LEAST_PRICE_RANGE = 0.01;
/** A bound is in the picture up to this many times the largest value: above, what it bounds would be a flat line. */
const FAR_BOUND = 3;

export function scaleOf(kind: ScaleKind, lines: readonly ChartLine[]): ScaleRange {
  const known = knownOf(lines.filter(({ isBound }) => isBound !== true));
  const greatest = Math.max(0, ...known);
  const near = knownOf(lines.filter(({ isBound }) => isBound === true)).filter(
    (value) => value <= FAR_BOUND * greatest,
  );
  const all = [...known, ...near];
  const [low, high] = all.length === 0 ? [0, 1] : [Math.min(...all), Math.max(...all)];
  switch (kind) {
    case 'share':
      return [0, Math.max(100, high)];
    case 'price': {
      const middle = (low + high) / 2;
      const half = Math.max(high - low, Math.abs(middle) * LEAST_PRICE_RANGE || 1) * (0.5 + PAD);
      return [middle - half, middle + half];
    }
    case 'rate':
    case 'amount': {
      const pad = (Math.max(0, high) - Math.min(0, low) || 1) * PAD;
      return [low < 0 ? low - pad : 0, high > 0 ? high + pad : pad];
    }
    default:
      return kind satisfies never;
  }
}

/** Bounds that lie above the picture, to be told in words. */
export function boundsOutside(lines: readonly ChartLine[], [, high]: ScaleRange): readonly ChartLine[] {
  return lines.filter(
    (line) => line.isBound === true && !isBlank(line) && knownOf([line]).every((value) => value > high),
  );
}

function knownOf(lines: readonly ChartLine[]): readonly number[] {
  return lines.flatMap(({ values }) => values.filter((value) => value !== null));
}
