import { setTimeout as sleep } from 'node:timers/promises';
import { describeError } from '@lending/errors';
import { decorrelatedJitterGenerator, ExponentialBackoff, type IBackoff } from 'cockatiel';

/** One connection to a node, from the moment it stands. */
export interface Connection {
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
 * Gives one connection after the other until the signal aborts; whoever takes one asks for the next when it has ended. Never throws for the
 * network's sake.
 * States: connecting → (stands: yield) → in use → (ended) → pausing with jitter → connecting.
 */
export async function* keepConnected<C extends Connection>(
  connect: (signal: AbortSignal) => Promise<C>,
  { signal, maxReconnectMs, goodAfterMs, onState }: ConnectionOptions,
): AsyncGenerator<C, void, undefined> {
  const pauses = createPauses(maxReconnectMs);

  while (!signal.aborted) {
    let connection: C;
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
      yield connection;
    } finally {
      connection.close();
    }
    if (signal.aborted) return;
    onState(describeError(connection.getFailure()));
    if (performance.now() - stoodFromMs > goodAfterMs) pauses.reset();
    await pauses.wait(signal);
  }
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
