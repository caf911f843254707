import type { Check, World } from './checks/check.ts';
import type { Checked } from './report/report.ts';

/** A report is read by people: after so many of a kind the rest is counted. */
const MOST_REASONS = 20;

/** Makes a check; one that throws failed. */
export async function runCheck(check: Check, world: World): Promise<Checked> {
  const startMs = performance.now();
  const { name } = check;
  const ended = (
    outcome: Checked['outcome'],
    reasons: readonly string[],
    figures: Checked['figures'] = {},
  ): Checked => ({
    name,
    outcome,
    reasons: shorten(reasons),
    figures,
    ms: Math.round(performance.now() - startMs),
  });
  try {
    const told = await check.run(world);
    if ('skipped' in told) return ended('skipped', [told.skipped]);
    return ended(told.faults.length === 0 ? 'ok' : 'failed', told.faults, told.figures);
  } catch (error) {
    return ended('failed', [error instanceof Error ? error.message : String(error)]);
  }
}

function shorten(reasons: readonly string[]): readonly string[] {
  if (reasons.length <= MOST_REASONS) return reasons;
  return [...reasons.slice(0, MOST_REASONS), `and ${reasons.length - MOST_REASONS} more`];
}
