import type { Duplex } from 'node:stream';
import { LendingError } from '@lending/errors';
import type { Slot } from '@solana/kit';
import type { ProgramEvent, ProgramTarget } from '../program-source.ts';
import type { SourceConnection } from '../source-connection.ts';
import { createWatchQueue } from '../watch-queue.ts';
import { CONFIRMED, FINALIZED, type GeyserClient, type GeyserUpdate } from './geyser-client.ts';
import { createSlotTeller } from './slot-teller.ts';
import { PING, toSubscribeRequest } from './subscribe-request.ts';
import type { ToldSlots } from './told-slots.ts';

export interface YellowstoneConnectionOptions {
  readonly client: GeyserClient;
  /** Host and port, for people. */
  readonly host: string;
  readonly target: ProgramTarget;
  /** What was told by the connections before; this one adds to it. */
  readonly told: ToldSlots;
  /** Without a slot for this long, in milliseconds, the stream is given up. */
  readonly slotTimeoutMs: number;
  /** Events that may wait; then the stream is not read until half of them are taken. */
  readonly capacity: number;
}

/** So many ends in a row of streams that were to go on where the last one ended mean that the server has not kept that. */
const MAX_REFUSALS = 2;

/**
 * Makes what opens a watch's streams: one that goes on where the last one ended, or, where the server has not kept that or nothing was
 * told yet, a new one.
 *
 * The function throws CHAIN__RPC_UNAVAILABLE or CHAIN__RPC_TIMED_OUT when none comes to stand, the signal's reason when aborted.
 */
export function createConnector(
  options: YellowstoneConnectionOptions,
): (signal: AbortSignal) => Promise<SourceConnection> {
  const { client, told } = options;
  let refusals = 0;

  async function resume(fromSlot: Slot, signal: AbortSignal): Promise<SourceConnection> {
    try {
      const connection = await openStream(options, fromSlot, signal);
      refusals = 0;
      return connection;
    } catch (error) {
      // Silence says nothing of what the server has kept. An end may be the network's.
      if (error instanceof LendingError && error.code === 'CHAIN__RPC_UNAVAILABLE') refusals += 1;
      throw error;
    }
  }

  return async (signal) => {
    if (told.root === undefined && told.newest === undefined) {
      // Some providers switch this call off; then the root is known with the first slot that becomes final.
      const finalized = await untilAborted(
        client.getSlot(FINALIZED).catch(() => undefined),
        signal,
      );
      if (finalized !== undefined) told.finalize(BigInt(finalized.slot));
    }
    const { resumeFrom } = told;
    if (resumeFrom !== null && refusals < MAX_REFUSALS) return resume(resumeFrom, signal);
    const connection = await openStream(options, null, signal);
    refusals = 0;
    return connection;
  };
}

/**
 * Opens one stream. Resolves with the first slot that it tells to be confirmed: everything of later ones comes by itself. Asked for
 * `fromSlot`, a server tells again what happened from there on.
 */
async function openStream(
  { client, host, target, told, slotTimeoutMs, capacity }: YellowstoneConnectionOptions,
  fromSlot: Slot | null,
  signal: AbortSignal,
): Promise<SourceConnection> {
  const stream = await subscribe(client, toSubscribeRequest(target, fromSlot), host, signal);
  const queue = createWatchQueue<ProgramEvent>(Number.POSITIVE_INFINITY);
  const firstSlot = Promise.withResolvers<Slot>();
  firstSlot.promise.catch(() => undefined);
  let waiting = 0;
  let failure: unknown;
  let isClosed = false;

  const teller = createSlotTeller({
    target,
    told,
    isResumed: fromSlot !== null,
    tell(event) {
      waiting += 1;
      queue.push(event);
    },
  });
  // A stream that is not read is not silent. It is the server that gives up on it when that goes on too long.
  const onSilence = () => (stream.isPaused() ? watchdog.refresh() : fail(timedOut(host, slotTimeoutMs)));
  const watchdog = setTimeout(onSilence, slotTimeoutMs);
  const onAbort = () => fail(signal.reason);

  function fail(error: unknown): void {
    if (isClosed) return;
    isClosed = true;
    failure = error;
    clearTimeout(watchdog);
    signal.removeEventListener('abort', onAbort);
    stream.destroy();
    firstSlot.reject(error);
    queue.end();
  }

  stream.on('data', (update: GeyserUpdate) => {
    if (isClosed) return;
    if (update.ping !== undefined) stream.write(PING);
    if (update.slot !== undefined) watchdog.refresh();
    teller.take(update);
    if (update.slot?.status === CONFIRMED) firstSlot.resolve(BigInt(update.slot.slot));
    if (waiting >= capacity) stream.pause();
  });
  stream.on('error', (error) => fail(unavailable(host, error)));
  stream.on('close', () => fail(unavailable(host, undefined)));
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });

  const sinceSlot = await firstSlot.promise;
  return {
    sinceSlot: fromSlot === null ? sinceSlot : null,
    sinceRoot: sinceSlot,
    events: {
      async next() {
        const event = await queue.next();
        waiting -= 1;
        if (!isClosed && stream.isPaused() && waiting <= capacity / 2) {
          watchdog.refresh();
          stream.resume();
        }
        return event;
      },
    },
    getRoot: () => told.root ?? 0n,
    getFailure: () => failure,
    close: () => fail(new DOMException('The watch was closed', 'AbortError')),
  };
}

async function subscribe(
  client: GeyserClient,
  request: Parameters<GeyserClient['subscribe']>[0],
  host: string,
  signal: AbortSignal,
): Promise<Duplex> {
  const opening = client.subscribe(request);
  try {
    return await untilAborted(opening, signal);
  } catch (cause) {
    // One that comes to stand after all has nobody to close it.
    opening.then(
      (stream) => stream.destroy(),
      () => undefined,
    );
    signal.throwIfAborted();
    throw unavailable(host, cause);
  }
}

/** @throws the signal's reason when it aborts first. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener('abort', onAbort));
}

function timedOut(host: string, slotTimeoutMs: number): LendingError {
  return new LendingError('CHAIN__RPC_TIMED_OUT', {
    message: `${host} sent no slot for ${slotTimeoutMs} ms`,
    context: { host },
  });
}

/** @param cause what the client threw; undefined when the stream ended in peace. */
export function unavailable(host: string, cause: unknown): LendingError {
  return new LendingError('CHAIN__RPC_UNAVAILABLE', {
    message: `The stream on ${host} ${cause === undefined ? 'was closed' : 'failed'}`,
    context: { host },
    cause,
  });
}
