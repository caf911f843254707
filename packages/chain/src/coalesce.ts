import type { RpcPayload } from './endpoint.ts';

type Send = (payload: RpcPayload, signal: AbortSignal) => Promise<unknown>;

interface InFlight {
  readonly answer: Promise<unknown>;
  waiting: number;
  /** Nobody waits any more. */
  giveUp(): void;
}

/**
 * Lets identical reads that are in flight together share one request; kit does so only within one tick. Each caller keeps its own
 * signal; the request itself is aborted when the last of them gave up.
 */
export function coalesceReads(send: Send, isRead: (method: string) => boolean) {
  const inFlight = new Map<string, InFlight>();

  function join(payload: RpcPayload): InFlight {
    const key = keyOf(payload);
    const existing = inFlight.get(key);
    if (existing !== undefined) return existing;
    const controller = new AbortController();
    const answer = send(payload, controller.signal).finally(forget);
    const entry: InFlight = { answer, waiting: 0, giveUp };
    inFlight.set(key, entry);
    return entry;

    function forget(): void {
      if (inFlight.get(key) === entry) inFlight.delete(key);
    }
    function giveUp(): void {
      // What was answered needs no signal, which would take longer than all else here.
      if (inFlight.get(key) !== entry) return;
      inFlight.delete(key);
      controller.abort();
    }
  }

  return async (payload: RpcPayload, signal?: AbortSignal): Promise<unknown> => {
    signal?.throwIfAborted();
    if (!isRead(payload.method)) return send(payload, signal ?? new AbortController().signal);
    const entry = join(payload);
    entry.waiting += 1;
    try {
      return await (signal === undefined ? entry.answer : untilAborted(entry.answer, signal));
    } finally {
      entry.waiting -= 1;
      if (entry.waiting === 0) entry.giveUp();
    }
  };
}

/** Requests differ in their id; what they ask is method and parameters. */
function keyOf({ method, params }: RpcPayload): string {
  return JSON.stringify([method, params], (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
}

function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener('abort', onAbort));
}
