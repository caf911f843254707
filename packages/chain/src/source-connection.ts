import { setTimeout as sleep } from 'node:timers/promises';
import { describeError } from '@lending/errors';
import type { Slot } from '@solana/kit';
import { decorrelatedJitterGenerator, ExponentialBackoff, type IBackoff } from 'cockatiel';
import type { ProgramEvent } from './program-source.ts';
import type { WatchQueue } from './watch-queue.ts';

/** One life of a source's connection: from the moment it tells everything to its loss. */
export interface SourceConnection {
  /** Everything of later slots arrives by itself; null: it goes on where the one before it ended, and nothing was missed. */
  readonly sinceSlot: Slot | null;
  /** The newest root of whom it is connected to, when it came to stand. */
  readonly sinceRoot: Slot;
  /** What it tells; ends with the connection, after everything that came before. */
  readonly events: Pick<WatchQueue<ProgramEvent>, 'next'>;
  /** The newest root it has told: everything up to it is among the events. */
  getRoot(): Slot;
  /** Why it ended; undefined while it stands. */
  getFailure(): unknown;
  close(): void;
}

export interface ConnectionOptions {
  readonly signal: AbortSignal;
  /** Longest pause between connections, in milliseconds. */
  readonly maxReconnectMs: number;
  /** A connection that stood this long, in milliseconds, was a good one: pauses begin anew after it. */
  readonly goodAfterMs: number;
  /** Told when a connection stands (null), and why it was lost or did not come to stand. */
  readonly onState: (reason: string | null) => void;
}

/** First pause before a reconnection, in milliseconds. */
const MIN_RECONNECT_MS = 250;

/**
 * Keeps a connection until the signal aborts, and says with each what may have been missed before it; never throws for the network's sake.
 * States: connecting → (stands: yield gap) → following → (lost) → pausing with jitter → connecting.
 */
export async function* followConnections(
  connect: (signal: AbortSignal) => Promise<SourceConnection>,
  { signal, maxReconnectMs, goodAfterMs, onState }: ConnectionOptions,
): AsyncGenerator<ProgramEvent, void, undefined> {
  const pauses = createPauses(maxReconnectMs);
  let toldRoot: Slot = 0n;

  while (!signal.aborted) {
    let connection: SourceConnection;
    try {
      connection = await connect(signal);
    } catch (error) {
      if (signal.aborted) return;
      onState(describeError(error));
      await pauses.wait(signal);
      continue;
    }
    onState(null);
    const stoodFromMs = performance.now();
    try {
      const { sinceSlot } = connection;
      // Whoever is connected now may be behind the one before: then its own root is what both have told up to.
      const fromSlot = older(toldRoot, connection.sinceRoot);
      if (sinceSlot !== null) yield { kind: 'gap', fromSlot: older(fromSlot, sinceSlot), toSlot: sinceSlot };
      for (let event = await connection.events.next(); event; event = await connection.events.next()) yield event;
    } finally {
      connection.close();
    }
    toldRoot = connection.getRoot();
    if (signal.aborted) return;
    onState(describeError(connection.getFailure()));
    if (performance.now() - stoodFromMs > goodAfterMs) pauses.reset();
    await pauses.wait(signal);
  }
}

function older(one: Slot, other: Slot): Slot {
  return one < other ? one : other;
}

/** Growing pauses with jitter. */
function createPauses(maxMs: number) {
  const start = () =>
    new ExponentialBackoff({
      generator: decorrelatedJitterGenerator,
      initialDelay: Math.min(MIN_RECONNECT_MS, maxMs),
      maxDelay: maxMs,
    }).next();
  let current: IBackoff<unknown> = start();
  return {
    async wait(signal: AbortSignal): Promise<void> {
      await sleep(current.duration, undefined, { signal }).catch(() => undefined);
      current = current.next(undefined);
    },
    reset(): void {
      current = start();
    },
  };
}
