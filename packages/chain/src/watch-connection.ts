import { LendingError } from '@lending/errors';
import { type Address, type Commitment, createSolanaRpcSubscriptions, type Slot } from '@solana/kit';
import type { AccountUpdate } from './account-update.ts';
import { type ProgramFilter, toRpcFilters } from './program-filter.ts';
import { toAccountUpdate } from './rpc-account.ts';
import { createWatchQueue, type WatchQueue } from './watch-queue.ts';

/** One life of a subscription: from its acknowledgement to the loss of its socket. */
export interface WatchConnection {
  /** A slot of the node, seen after the subscription stood: changes of later slots arrive by themselves. */
  readonly sinceSlot: Slot;
  readonly updates: WatchQueue<AccountUpdate>;
  /** The node's newest root: everything up to it has been delivered. */
  getRoot(): Slot;
  /** Why the connection ended; undefined while it stands. */
  getFailure(): unknown;
  close(): void;
}

export interface WatchTarget {
  readonly wsUrl: string;
  readonly program: Address;
  readonly filters: readonly ProgramFilter[];
  readonly commitment: Commitment;
  readonly slotTimeoutMs: number;
  readonly capacity: number;
}

/**
 * Subscribes to a program's accounts and to the node's slots on a socket of its own. Resolves once both stand and a slot has
 * come. From then on a missing slot, a lost socket or a full queue ends it.
 * @throws CHAIN__RPC_UNAVAILABLE or CHAIN__RPC_TIMED_OUT when it does not come to stand, the signal's reason when aborted.
 */
export async function openWatchConnection(target: WatchTarget, signal: AbortSignal): Promise<WatchConnection> {
  signal.throwIfAborted();
  const { program, commitment, slotTimeoutMs } = target;
  const host = new URL(target.wsUrl).host;
  const controller = new AbortController();
  const updates = createWatchQueue<AccountUpdate>(target.capacity);
  const firstSlot = Promise.withResolvers<Slot>();
  firstSlot.promise.catch(() => undefined);
  let failure: unknown;
  let root: Slot = 0n;
  let isSubscribed = false;

  const watchdog = setTimeout(() => fail(timedOut(host, slotTimeoutMs)), slotTimeoutMs);
  const onAbort = () => fail(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });

  function fail(error: unknown): void {
    if (controller.signal.aborted) return;
    failure = error;
    clearTimeout(watchdog);
    signal.removeEventListener('abort', onAbort);
    controller.abort(error);
    firstSlot.reject(error);
    updates.end();
  }

  async function pump<T>(notifications: AsyncIterable<T>, take: (notification: T) => void): Promise<void> {
    try {
      for await (const notification of notifications) take(notification);
      fail(unavailable(host, undefined));
    } catch (error) {
      fail(unavailable(host, error));
    }
  }

  const subscriptions = createSolanaRpcSubscriptions(target.wsUrl);
  const abortSignal = controller.signal;
  const subscribed = (async () => {
    const slots = await subscriptions.slotNotifications().subscribe({ abortSignal });
    void pump(slots, (notification) => {
      watchdog.refresh();
      root = BigInt(notification.root);
      if (isSubscribed) firstSlot.resolve(BigInt(notification.slot));
    });
    const accounts = await subscriptions
      .programNotifications(program, { commitment, encoding: 'base64', filters: toRpcFilters(target.filters) })
      .subscribe({ abortSignal });
    void pump(accounts, ({ context, value }) => {
      const update = toAccountUpdate(value.pubkey, BigInt(context.slot), value.account);
      if (!updates.push(update)) fail(overflown(target.capacity));
    });
    isSubscribed = true;
  })();
  subscribed.catch((error) => fail(unavailable(host, error)));

  const sinceSlot = await firstSlot.promise;
  return { sinceSlot, updates, getRoot: () => root, getFailure: () => failure, close: () => fail(closed()) };
}

function timedOut(host: string, slotTimeoutMs: number): LendingError {
  return new LendingError('CHAIN__RPC_TIMED_OUT', {
    message: `${host} sent no slot for ${slotTimeoutMs} ms`,
    context: { host },
  });
}

function unavailable(host: string, cause: unknown): LendingError {
  return new LendingError('CHAIN__RPC_UNAVAILABLE', {
    message: `The subscription on ${host} was lost`,
    context: { host },
    cause,
  });
}

function overflown(capacity: number): LendingError {
  return new LendingError('CHAIN__RPC_UNAVAILABLE', {
    message: `More than ${capacity} account updates wait to be handled; the subscription starts over`,
  });
}

function closed(): DOMException {
  return new DOMException('The watch was closed', 'AbortError');
}
