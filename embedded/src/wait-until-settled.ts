import { setTimeout as sleep } from 'node:timers/promises';
import type { Composition } from './compose.ts';

type Ask = Composition['ask'];

interface SettlingTimes {
  /** A start in which nothing changes for so long does not go on. */
  readonly standstillMs: number;
  /** A start that changes for longer than this comes to no end. */
  readonly mostMs: number;
  readonly beatMs: number;
}

const TIMES: SettlingTimes = { standstillMs: 15_000, mostMs: 60_000, beatMs: 50 };

/**
 * Waits for as long as a start goes on: its parts become ready one after another, on a busy machine with seconds between them. Null once
 * all are, else what /readyz says when nothing changes any more: without a node, or on a chain whose clock stands in the past.
 */
export async function waitUntilSettled(
  ask: Ask,
  signal: AbortSignal,
  { standstillMs, mostMs, beatMs }: SettlingTimes = TIMES,
): Promise<string | null> {
  const startedAt = performance.now();
  let [known, changedAt] = ['', startedAt];
  for (;;) {
    const reason = await readinessOf(ask);
    const now = performance.now();
    // The age of what is stale grows by itself.
    const said = reason?.replaceAll(/\d+/g, '#') ?? '';
    if (said !== known) [known, changedAt] = [said, now];
    const isOver = now - changedAt > standstillMs || now - startedAt > mostMs;
    if (reason === null || signal.aborted || isOver) return reason;
    await sleep(beatMs);
  }
}

/** Resolves once all parts are ready, true; or the process stops, false. */
export async function waitUntilReady(ask: Ask, signal: AbortSignal, beatMs = 1_000): Promise<boolean> {
  while (!signal.aborted) {
    if ((await readinessOf(ask)) === null) return true;
    await sleep(beatMs);
  }
  return false;
}

/** Why the process is not ready, in the words of /readyz; null when it is. */
async function readinessOf(ask: Ask): Promise<string | null> {
  const { status, body } = await ask('/readyz');
  if (status === 200) return null;
  const { details } = JSON.parse(body) as { details?: { reasons?: readonly { reason: string }[] } };
  return details?.reasons?.map(({ reason }) => reason).join('; ') ?? `/readyz answers ${status}`;
}
