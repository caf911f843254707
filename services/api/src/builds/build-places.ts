import { LendingError } from '@lending/errors';

export interface PlaceLimits {
  /** Builds under way at once; as many more wait. */
  readonly most: number;
  /** Of those, one client's: as many of its own more wait, so that nobody fills the queue alone. */
  readonly mostPerClient: number;
}

/** Who builds: a build holds accounts, quotes and simulations in memory, and keeps node and aggregators busy. */
export interface BuildPlaces {
  /**
   * Does `work` as soon as there is a place for this client, in the order of asking.
   * @throws TOOL__BUILDS_EXCEEDED where too many wait, or a place took too long; the signal's reason where nobody waits any more.
   */
  run<T>(client: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
  readonly running: () => number;
  readonly waiting: () => number;
}

/** A caller that waited so long is better told: its own deadline comes next, and the claim on its key outlasts wait and build. */
const MAX_WAIT_MS = 10_000;
/** Builds take a second or two. */
const RETRY_AFTER_S = 3;

interface Waiter {
  readonly client: string;
  readonly enter: () => void;
}

/** Which limit kept a build from being done. */
export type PlaceRefusal = 'all' | 'client' | 'time';

export function createBuildPlaces(
  { most, mostPerClient }: PlaceLimits,
  {
    onRefuse = () => {},
    maxWaitMs = MAX_WAIT_MS,
  }: { onRefuse?: (limit: PlaceRefusal) => void; maxWaitMs?: number } = {},
): BuildPlaces {
  const runningOf = new Map<string, number>();
  const queue: Waiter[] = [];
  let running = 0;

  const hasPlace = (client: string) => running < most && (runningOf.get(client) ?? 0) < mostPerClient;

  function enter(client: string): void {
    running += 1;
    runningOf.set(client, (runningOf.get(client) ?? 0) + 1);
  }

  function leave(client: string): void {
    running -= 1;
    const left = (runningOf.get(client) ?? 1) - 1;
    if (left === 0) runningOf.delete(client);
    else runningOf.set(client, left);
    const at = queue.findIndex((waiter) => hasPlace(waiter.client));
    const [next] = at === -1 ? [] : queue.splice(at, 1);
    if (next === undefined) return;
    enter(next.client);
    next.enter();
  }

  function refuse(limit: PlaceRefusal): LendingError {
    onRefuse(limit);
    const whose = limit === 'client' ? 'one client may have' : 'this instance does';
    const scope = limit === 'client' ? 'builds_per_client' : 'builds';
    const allowed = limit === 'client' ? mostPerClient : most;
    return new LendingError('TOOL__BUILDS_EXCEEDED', {
      message: `As many builds as ${whose} at once are under way, and as many wait — allowed: ${allowed} at once — make the same call again in ${RETRY_AFTER_S} seconds`,
      context: { scope, limit: allowed, retry_after_s: RETRY_AFTER_S },
    });
  }

  async function wait(client: string, signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter: Waiter = { client, enter: resolve };
    const giveUp = (reason: unknown) => {
      const at = queue.indexOf(waiter);
      // Not there any more: its place was given, and is used or given on.
      if (at === -1) return;
      queue.splice(at, 1);
      reject(reason);
    };
    const onAbort = () => giveUp(signal.reason);
    const timer = setTimeout(() => giveUp(refuse('time')), maxWaitMs);
    signal.addEventListener('abort', onAbort, { once: true });
    queue.push(waiter);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    }
  }

  return {
    async run(client, signal, work) {
      signal.throwIfAborted();
      if (hasPlace(client)) {
        enter(client);
      } else {
        if (queue.length >= most) throw refuse('all');
        if (queue.filter((waiter) => waiter.client === client).length >= mostPerClient) throw refuse('client');
        await wait(client, signal);
      }
      try {
        return await work();
      } finally {
        leave(client);
      }
    },
    running: () => running,
    waiting: () => queue.length,
  };
}
