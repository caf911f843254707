/**
 * The net yield that is worth half of all there is to get, percent a year on own capital: what a good dollar loop pays. Above it every
 * further percent counts less, since what pays 100 % seldom pays it for long.
 */
const HALF_PCT = 10;

/** Of a net yield now and of its means: the least that is known, so that a rate of this hour does not lead the list; 0 where it loses. */
export function carryOf(netApyPct: number, means: readonly (number | null)[]): number {
  const known = means.filter((mean) => mean !== null);
  const least = Math.max(0, Math.min(netApyPct, ...known));
  return least / (least + HALF_PCT);
}
