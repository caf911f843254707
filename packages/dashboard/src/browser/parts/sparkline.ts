import type { VNode } from 'preact';
import { html } from '../html.ts';

const WIDTH = 96;
const HEIGHT = 28;
const PAD = 3;

/** A line too small for axes. A gap breaks it, and a value without neighbours is a dot. `label` says what it shows. */
export function Sparkline({
  values,
  label,
}: {
  readonly values: readonly (number | null)[];
  readonly label: string;
}): VNode {
  const { path, dots } = sparklineShape(values);
  return html`
    <svg class="sparkline" viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} width=${WIDTH} height=${HEIGHT} role="img" aria-label=${label}>
      <path d=${path} />
      ${dots.map(([x, y]) => html`<circle key=${x} cx=${x} cy=${y} r="1.75" />`)}
    </svg>
  `;
}

/** The path of a line through values at equal steps, and where dots stand for what has no neighbour. A flat line runs through the middle. */
export function sparklineShape(values: readonly (number | null)[]): {
  readonly path: string;
  readonly dots: readonly (readonly [number, number])[];
} {
  const known = values.filter((value) => value !== null);
  const low = Math.min(...known);
  const range = Math.max(...known) - low;
  const step = values.length > 1 ? (WIDTH - 2 * PAD) / (values.length - 1) : 0;
  const point = (value: number, index: number): readonly [number, number] => [
    round(PAD + index * step),
    round(range === 0 ? HEIGHT / 2 : HEIGHT - PAD - ((value - low) / range) * (HEIGHT - 2 * PAD)),
  ];
  const parts: string[] = [];
  const dots: (readonly [number, number])[] = [];
  for (const [index, value] of values.entries()) {
    if (value === null) continue;
    const [x, y] = point(value, index);
    const hasBefore = (values[index - 1] ?? null) !== null;
    const hasAfter = (values[index + 1] ?? null) !== null;
    if (!hasBefore && !hasAfter) dots.push([x, y]);
    else parts.push(`${hasBefore ? 'L' : 'M'}${x} ${y}`);
  }
  return { path: parts.join(''), dots };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
