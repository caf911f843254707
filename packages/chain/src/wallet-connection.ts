import { describeError } from '@lending/errors';
import {
  type Address,
  createSolanaRpcSubscriptions,
  getAddressEncoder,
  type PendingRpcSubscriptionsRequest,
  type Slot,
} from '@solana/kit';
import type { Connection } from './keep-connected.ts';
import { toRpcFilters } from './program-filter.ts';
import type { ChosenEndpoint } from './pubsub-endpoint.ts';
import { behind, timedOut, unavailable } from './pubsub-failure.ts';
import { TOKEN_OWNER_OFFSET, TOKEN_PROGRAMS } from './token-programs.ts';

/** A wallet changed, or may have changed, in this slot or before it. */
export type OnWalletChange = (wallet: Address, slot: Slot) => void;

/** Hears of wallets on one node. */
export interface WalletConnection extends Connection {
  /** Of these from now on, those that are new in this order, and of no others. */
  select(wallets: readonly Address[]): void;
  /** How many wallets all subscriptions stand of. */
  count(): number;
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
}

export interface WalletConnectionOptions extends ChosenEndpoint {
  /** How long it does without a slot, and without the acknowledgement of a subscription, in milliseconds. */
  readonly slotTimeoutMs: number;
  readonly onChange: OnWalletChange;
  /** Something was told of a confirmed slot. */
  readonly onConfirmed: (slot: Slot) => void;
  /** Told once: the node does not take all subscriptions. */
  readonly onRefused: (reason: string) => void;
}

interface HeardWallet {
  /** Ends its subscriptions. */
  readonly controller: AbortController;
  /** `partly`: the node did not take all of them. */
  state: 'asking' | 'standing' | 'partly';
}

/** What a subscription of accounts tells, as far as it is of use here. */
interface Told {
  readonly context: { readonly slot: Slot };
}

const commitment = 'confirmed';

/**
 * Connects to a node's subscriptions; resolves once the node has told a slot. A missing slot, a lost socket or a node that falls behind the
 * others ends it. A subscription that the node does not take is left out until the next connection.
 *
 * Wallets are subscribed to one after the other, so that a node that counts calls is not asked for hundreds at once.
 * @throws CHAIN__RPC_UNAVAILABLE or CHAIN__RPC_TIMED_OUT when it does not come to stand, the signal's reason when aborted.
 */
export async function openWalletConnection(
  { wsUrl, isLagging, slotTimeoutMs, onChange, onConfirmed, onRefused }: WalletConnectionOptions,
  signal: AbortSignal,
): Promise<WalletConnection> {
  signal.throwIfAborted();
  const { host } = new URL(wsUrl);
  const subscriptions = createSolanaRpcSubscriptions(wsUrl);
  const controller = new AbortController();
  const standing = Promise.withResolvers<void>();
  standing.promise.catch(() => undefined);
  const ended = Promise.withResolvers<void>();
  const heard = new Map<Address, HeardWallet>();
  let selected: readonly Address[] = [];
  let newestSlot: Slot = 0n;
  let failure: unknown;
  let asking: HeardWallet | undefined;
  let isSubscribing = false;
  let isRefused = false;

  const watchdog = setTimeout(() => fail(timedOut(host, slotTimeoutMs)), slotTimeoutMs);
  const onAbort = () => fail(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });

  function fail(error: unknown): void {
    if (controller.signal.aborted) return;
    failure = error;
    clearTimeout(watchdog);
    signal.removeEventListener('abort', onAbort);
    controller.abort(error);
    asking?.controller.abort(error);
    select([]);
    standing.reject(error);
    ended.resolve();
  }

  /** Hands on what a subscription tells until it is given up; that it ends by itself is the end of the connection. */
  async function pump<T>(notifications: AsyncIterable<T>, until: AbortSignal, take: (told: T) => void): Promise<void> {
    let cause: unknown;
    try {
      for await (const told of notifications) {
        if (until.aborted) return;
        take(told);
      }
    } catch (error) {
      cause = error;
    }
    if (!until.aborted) fail(unavailable(host, cause));
  }

  async function hearSlots(): Promise<void> {
    const told = await subscriptions.slotNotifications().subscribe({ abortSignal: controller.signal });
    void pump(told, controller.signal, ({ slot }) => {
      if (isLagging()) return fail(behind(host));
      watchdog.refresh();
      newestSlot = slot;
      standing.resolve();
    });
  }

  function subscribe(wallet: Address, one: HeardWallet): Promise<PromiseSettledResult<void>[]> {
    const { signal: abortSignal } = one.controller;
    const listen = async <T extends Told>(pending: PendingRpcSubscriptionsRequest<T>): Promise<void> => {
      const notifications = await pending.subscribe({ abortSignal });
      void pump(notifications, abortSignal, ({ context: { slot } }) => {
        if (heard.get(wallet) !== one) return;
        onConfirmed(slot);
        onChange(wallet, slot);
      });
    };
    const filters = toRpcFilters([
      { kind: 'content', offset: TOKEN_OWNER_OFFSET, bytes: Uint8Array.from(getAddressEncoder().encode(wallet)) },
    ]);
    return Promise.allSettled([
      listen(subscriptions.accountNotifications(wallet, { commitment, encoding: 'base64' })),
      ...TOKEN_PROGRAMS.map((program) =>
        listen(subscriptions.programNotifications(program, { commitment, encoding: 'base64', filters })),
      ),
    ]);
  }

  async function hear(wallet: Address): Promise<void> {
    const one: HeardWallet = { controller: new AbortController(), state: 'asking' };
    heard.set(wallet, one);
    asking = one;
    const patience = setTimeout(() => one.controller.abort(timedOut(host, slotTimeoutMs)), slotTimeoutMs);
    const outcomes = await subscribe(wallet, one);
    clearTimeout(patience);
    asking = undefined;
    if (heard.get(wallet) !== one) return one.controller.abort();
    const refusal = outcomes.find((outcome) => outcome.status === 'rejected');
    one.state = refusal === undefined ? 'standing' : 'partly';
    if (refusal !== undefined && !isRefused) {
      isRefused = true;
      onRefused(`${host} does not tell all of wallets: ${describeError(refusal.reason)}`);
    }
    // What happened before was not told.
    if (outcomes.some(({ status }) => status === 'fulfilled')) onChange(wallet, newestSlot);
  }

  async function hearSelected(): Promise<void> {
    if (isSubscribing) return;
    isSubscribing = true;
    const next = () => selected.find((wallet) => !heard.has(wallet));
    for (let wallet = next(); wallet !== undefined; wallet = next()) await hear(wallet);
    isSubscribing = false;
  }

  function select(wallets: readonly Address[]): void {
    selected = controller.signal.aborted ? [] : wallets;
    const kept = new Set(selected);
    for (const [wallet, one] of heard) {
      if (kept.has(wallet)) continue;
      heard.delete(wallet);
      // A subscription can be taken back once it has a number.
      if (one.state !== 'asking') one.controller.abort();
    }
    void hearSelected();
  }

  hearSlots().catch((error: unknown) => fail(unavailable(host, error)));
  await standing.promise;
  return {
    select,
    count: () => [...heard.values()].filter(({ state }) => state === 'standing').length,
    ended: ended.promise,
    getFailure: () => failure,
    close: () => fail(new DOMException('The watch was closed', 'AbortError')),
  };
}
