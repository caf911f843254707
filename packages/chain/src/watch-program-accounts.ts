import { setTimeout as sleep } from 'node:timers/promises';
import { describeError } from '@lending/errors';
import type { Address, Commitment, Slot } from '@solana/kit';
import { decorrelatedJitterGenerator, ExponentialBackoff, type IBackoff } from 'cockatiel';
import type { AccountUpdate } from './account-update.ts';
import type { ChainHooks } from './chain-options.ts';
import type { ProgramFilter } from './program-filter.ts';
import { openWatchConnection, type WatchConnection } from './watch-connection.ts';

/**
 * `gap`      what happened after `fromSlot` may have been missed. The subscription already stands again: read the accounts at
 *            `minContextSlot: toSlot`, then go on; updates wait meanwhile. The first event is the gap from slot 0.
 * `account`  an account as of a slot. A closed account comes with zero lamports. Order is the node's; an update older than what
 *            the back-fill read is possible and told by its slot.
 */
export type ProgramWatchEvent =
  | { readonly kind: 'gap'; readonly fromSlot: Slot; readonly toSlot: Slot }
  | { readonly kind: 'account'; readonly update: AccountUpdate };

export interface WatchOptions {
  readonly signal: AbortSignal;
  /** Default `confirmed`. */
  readonly commitment?: Commitment;
  /** Updates that may wait while the consumer is busy; more starts the subscription over, with a gap. Default 50,000. */
  readonly capacity?: number;
}

export interface Watcher {
  readonly wsUrl: string;
  readonly slotTimeoutMs: number;
  readonly maxReconnectMs: number;
  readonly hooks: ChainHooks;
}

/** First pause before a reconnection, in milliseconds. */
const MIN_RECONNECT_MS = 250;

/**
 * Follows a program's accounts until the signal aborts; never throws for the network's sake.
 * States: connecting → (stands: yield gap) → following → (lost) → pausing with jitter → connecting.
 */
export async function* watchProgramAccounts(
  watcher: Watcher,
  program: Address,
  filters: readonly ProgramFilter[],
  options: WatchOptions,
): AsyncGenerator<ProgramWatchEvent, void, undefined> {
  const { signal, commitment = 'confirmed', capacity = 50_000 } = options;
  const { wsUrl, slotTimeoutMs, maxReconnectMs, hooks } = watcher;
  const target = { wsUrl, program, filters, commitment, slotTimeoutMs, capacity };
  const report = (failure?: unknown) =>
    hooks.onWatchState?.({
      watch: program,
      connected: failure === undefined,
      reason: failure === undefined ? null : describeError(failure),
    });
  const pauses = createPauses(maxReconnectMs);
  let fromSlot: Slot = 0n;

  while (!signal.aborted) {
    let connection: WatchConnection;
    try {
      connection = await openWatchConnection(target, signal);
    } catch (error) {
      if (signal.aborted) return;
      report(error);
      await pauses.wait(signal);
      continue;
    }
    report();
    const stoodFromMs = performance.now();
    try {
      yield { kind: 'gap', fromSlot, toSlot: connection.sinceSlot };
      for (let update = await connection.updates.next(); update; update = await connection.updates.next()) {
        yield { kind: 'account', update };
      }
    } finally {
      connection.close();
    }
    fromSlot = connection.getRoot() > fromSlot ? connection.getRoot() : fromSlot;
    if (signal.aborted) return;
    report(connection.getFailure());
    if (performance.now() - stoodFromMs > slotTimeoutMs) pauses.reset();
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
