import { type ChartLine, isBlank } from './chart-line.ts';

/** A chart in words: where each line ends, between what it moved, and how much of it is not known. */
export function summariseChart(lines: readonly ChartLine[], format: (value: number | null) => string): string {
  return lines.map((line) => `${line.label}: ${summariseLine(line, format)}.`).join(' ');
}

function summariseLine(line: ChartLine, format: (value: number | null) => string): string {
  if (isBlank(line)) return 'unknown';
  const known = line.values.filter((value) => value !== null);
  const [low, high] = [format(Math.min(...known)), format(Math.max(...known))];
  const newest = format(known.at(-1) ?? null);
  const missing = line.values.length - known.length;
  return [
    `newest ${newest}`,
    low === high ? '' : `between ${low} and ${high}`,
    missing === 0 ? '' : `unknown at ${missing} of ${line.values.length} times`,
  ]
    .filter((part) => part !== '')
    .join(', ');
}
