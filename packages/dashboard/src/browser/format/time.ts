import { UNKNOWN } from './number.ts';

const STEPS = [
  ['s', 1, 60],
  ['min', 60, 60],
  ['h', 3_600, 48],
  ['d', 86_400, Number.POSITIVE_INFINITY],
] as const;

/** A length of time, in its largest whole unit: 12 s, 3 min, 5 h, 4 d. */
export function formatSeconds(seconds: number | null | undefined): string {
  if (seconds == null || !Number.isFinite(seconds)) return UNKNOWN;
  const whole = Math.max(0, Math.floor(seconds));
  for (const [unit, length, until] of STEPS) {
    if (whole < length * until) return `${Math.floor(whole / length)} ${unit}`;
  }
  return UNKNOWN;
}

/** How long ago a time is: "3 min ago". What lies ahead of our clock counts as now. */
export function formatAge(time: string | null | undefined, nowMs: number): string {
  const ms = time == null ? Number.NaN : Date.parse(time);
  return Number.isNaN(ms) ? UNKNOWN : `${formatSeconds((nowMs - ms) / 1000)} ago`;
}

/** A time in the reader's zone. */
export function formatTime(time: string | number | null | undefined): string {
  const date = dateOf(time);
  return date === null ? UNKNOWN : date.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}

/** The same moment in UTC, for a title: 2026-11-22 03:51:51 UTC. */
export function formatUtc(time: string | number | null | undefined): string {
  const date = dateOf(time);
  return date === null ? 'unknown' : `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

function dateOf(time: string | number | null | undefined): Date | null {
  const date = time == null ? null : new Date(time);
  return date === null || Number.isNaN(date.getTime()) ? null : date;
}
