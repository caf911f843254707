import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@lending/runtime';
import type { Segments } from './segments.ts';

const REPORT_MS = 10_000;

/** Says now and then how the past gets on, while it does. Resolves when the signal aborts. */
export async function runPastReport(
  { segments, logger }: { readonly segments: Pick<Segments, 'all'>; readonly logger: Logger },
  signal: AbortSignal,
): Promise<void> {
  let before = 0;
  while (!signal.aborted) {
    await sleep(REPORT_MS, undefined, { signal }).catch(() => undefined);
    const open = [...segments.all()];
    const done = open.reduce((sum, segment) => sum + segment.done, 0);
    const newest = open.find(({ state }) => state !== 'stopped');
    if (newest === undefined || done === before) continue;
    const perSecond = Math.max(0, Math.round(((done - before) * 1_000) / REPORT_MS));
    before = done;
    const { task, before: at, untilSlot } = newest;
    logger.info('activity.past.progress', { segments: open.length, perSecond, task, atSlot: at?.slot, untilSlot });
  }
}
