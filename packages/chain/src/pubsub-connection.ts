import { LendingError } from '@lending/errors';
import { createSolanaRpcSubscriptions, type Slot } from '@solana/kit';
import { CLOCK_ADDRESS } from './clock-account.ts';
import { toRpcFilters } from './program-filter.ts';
import type { ProgramEvent, ProgramTarget } from './program-source.ts';
import type { ChosenEndpoint } from './pubsub-endpoint.ts';
import { behind, timedOut, unavailable } from './pubsub-failure.ts';
import { toAccountUpdate } from './rpc-account.ts';
import { createSlotProgress } from './slot-progress.ts';
import type { SourceConnection } from './source-connection.ts';
import { createWatchQueue } from './watch-queue.ts';

export interface PubSubConnectionOptions extends ChosenEndpoint {
  readonly target: ProgramTarget;
  /** Without a slot for this long, in milliseconds, the connection is lost. */
  readonly slotTimeoutMs: number;
  readonly capacity: number;
}

/** Slots that may begin without a clock, before the connection stands without one. */
const PATIENCE_SLOTS = 4;
/** What every subscription asks for. Below it, what is told may never have happened; above it, it is half a minute old. */
const commitment = 'confirmed';

/**
 * Subscribes to a program's accounts and transactions, to the node's slots and its clock, all on one socket. Resolves once all stand and the
 * node has confirmed a slot, and one more: what it tells of the first is then in its history, too. From then on a missing slot, a lost
 * socket, a full queue or a node that goes back or falls behind the others ends it.
 * @throws CHAIN__RPC_UNAVAILABLE or CHAIN__RPC_TIMED_OUT when it does not come to stand, the signal's reason when aborted.
 */
export async function openPubSubConnection(
  { wsUrl, target, slotTimeoutMs, capacity, isLagging }: PubSubConnectionOptions,
  signal: AbortSignal,
): Promise<SourceConnection> {
  signal.throwIfAborted();
  const { program } = target;
  const { host } = new URL(wsUrl);
  const controller = new AbortController();
  const { signal: abortSignal } = controller;
  const events = createWatchQueue<ProgramEvent>(capacity);
  const progress = createSlotProgress(host);
  const standing = Promise.withResolvers<Slot>();
  standing.promise.catch(() => undefined);
  let failure: unknown;
  let isSubscribed = false;
  let slotsSeen = 0;
  let firstConfirmed: Slot | undefined;

  const watchdog = setTimeout(() => fail(timedOut(host, slotTimeoutMs)), slotTimeoutMs);
  const onAbort = () => fail(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });

  function fail(error: unknown): void {
    if (abortSignal.aborted) return;
    failure = error;
    clearTimeout(watchdog);
    signal.removeEventListener('abort', onAbort);
    controller.abort(error);
    standing.reject(error);
    events.end();
  }

  function push(event: ProgramEvent): void {
    if (!abortSignal.aborted && !events.push(event)) fail(overflown(capacity));
  }

  /**
   * Takes what one subscription tells. Several may be told in one turn of the event loop, and kit hands them out subscription by
   * subscription rather than in their order: what depends on the order waits for the end of the turn.
   */
  async function pump<T>(notifications: AsyncIterable<T>, take: (notification: T) => void): Promise<void> {
    try {
      for await (const notification of notifications) take(notification);
      fail(unavailable(host, undefined));
    } catch (error) {
      fail(error instanceof LendingError ? error : unavailable(host, error));
    }
  }

  function announceSlot(): void {
    setImmediate(() => {
      const next = progress.next();
      if (next !== undefined) push({ kind: 'slot', ...next });
    });
  }

  function onSlot(slot: Slot, root: Slot): void {
    watchdog.refresh();
    progress.began(slot, root);
    announceSlot();
    if (isSubscribed) slotsSeen += 1;
    if (slotsSeen >= PATIENCE_SLOTS) standing.resolve(firstConfirmed ?? slot);
  }

  function onClock(slot: Slot): void {
    if (isLagging()) throw behind(host);
    progress.confirmed(slot);
    announceSlot();
    if (!isSubscribed) return;
    firstConfirmed ??= slot;
    // The root is known when a slot began.
    if (slot > firstConfirmed && slotsSeen > 0) standing.resolve(firstConfirmed);
  }

  async function subscribe(): Promise<void> {
    const subscriptions = createSolanaRpcSubscriptions(wsUrl);
    const clock = subscriptions.accountNotifications(CLOCK_ADDRESS, { commitment, encoding: 'base64' });
    const slots = subscriptions.slotNotifications();
    const programs = target.accounts.map((filters) =>
      subscriptions.programNotifications(program, { commitment, encoding: 'base64', filters: toRpcFilters(filters) }),
    );
    const logs = target.transactions ? [subscriptions.logsNotifications({ mentions: [program] }, { commitment })] : [];
    await Promise.all([
      ...programs.map(async (pending) => {
        const notifications = await pending.subscribe({ abortSignal });
        void pump(notifications, ({ context, value }) => {
          const update = toAccountUpdate(value.pubkey, BigInt(context.slot), value.account);
          progress.told(update.slot);
          push({ kind: 'account', update, writeVersion: null });
        });
      }),
      ...logs.map(async (pending) => {
        const notifications = await pending.subscribe({ abortSignal });
        void pump(notifications, ({ context, value: { signature, err, logs: lines } }) => {
          const slot = BigInt(context.slot);
          progress.told(slot);
          push({ kind: 'transaction', signature, slot, isFailed: err !== null, record: null, logs: lines });
        });
      }),
      clock.subscribe({ abortSignal }).then((told) => void pump(told, ({ context }) => onClock(BigInt(context.slot)))),
      slots
        .subscribe({ abortSignal })
        .then((told) => void pump(told, ({ slot, root }) => onSlot(BigInt(slot), BigInt(root)))),
    ]);
    isSubscribed = true;
  }

  subscribe().catch((error) => fail(unavailable(host, error)));
  const sinceSlot = await standing.promise;
  const sinceRoot = progress.root;
  return {
    sinceSlot,
    sinceRoot,
    events,
    getRoot: () => progress.root,
    getFailure: () => failure,
    close: () => fail(new DOMException('The watch was closed', 'AbortError')),
  };
}

function overflown(capacity: number): LendingError {
  return new LendingError('CHAIN__RPC_UNAVAILABLE', {
    message: `More than ${capacity} events wait to be handled; the subscription starts over`,
  });
}
