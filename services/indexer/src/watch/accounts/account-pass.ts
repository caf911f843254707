import type { Bus } from '@lending/bus';
import type { Chain } from '@lending/chain';
import { largerOf, smallerOf } from '@lending/domain';
import { createOutage, type Logger, type Metrics, type Readiness, retryWithJitter, runBeat } from '@lending/runtime';
import { accountFilters } from '@lending/venues';
import type { Address, Slot } from '@solana/kit';
import type { AccountPublisher } from '#publish/account-publisher.ts';
import { type AccountsProgress, toAccountsProgressed } from '#publish/index-progressed.ts';
import type { ReadBudget } from '#watch/read-budget.ts';
import type { SlotClock } from '#watch/slot-clock.ts';
import { untilAborted } from '#watch/until-aborted.ts';
import type { FollowedAccounts } from './followed-accounts.ts';
import type { OrderReader } from './order-reader.ts';
import { READ_SIZE, readAccounts } from './read-accounts.ts';

export interface AccountPassOptions {
  readonly chain: Chain;
  readonly bus: Pick<Bus, 'publish'>;
  readonly program: Address;
  readonly group: Address;
  readonly followed: FollowedAccounts;
  readonly clock: SlotClock;
  readonly budget: ReadBudget;
  readonly orders: OrderReader;
  readonly publisher: AccountPublisher;
  /** How often all accounts are read, changed or not, in milliseconds: what a notification and its transaction both missed. */
  readonly reconcileMs: number;
  /** How often it is looked whether a pass is due, in milliseconds. */
  readonly lookMs: number;
  /** Accounts that were on this chain when somebody last looked. */
  readonly knownAccounts: () => Promise<readonly Address[]>;
  /** The same of standing orders, each with its account. */
  readonly knownOrders: () => Promise<readonly (readonly [order: Address, account: Address])[]>;
  /** And of orders to rebalance. */
  readonly knownRebalanceOrders: AccountPassOptions['knownOrders'];
  /** Resolves when it is known which addresses are followed. */
  readonly followsReady: () => Promise<void>;
  /** Looks again at everything that is followed: authorities may have new accounts. Resolves when that is published. */
  readonly refollow: (signal: AbortSignal) => Promise<void>;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly readiness: Readiness;
}

/** Reads all accounts again, one pass after the other, when something may have been missed and on a beat. */
export interface AccountPass {
  /** What happened after `fromSlot` may have been missed. Resolves when it is recorded that not all accounts are up to date. */
  repair(fromSlot: Slot, toSlot: Slot): Promise<void>;
  /** The same above a slot: what was seen up to there may have been of a fork that lost. */
  reread(aboveSlot: Slot): void;
  /** Up to which slot the accounts that are followed are as they should be; null when nothing is in question. */
  heldAt(): Slot | null;
  run(signal: AbortSignal): Promise<void>;
}

/** What a pass has to make good. */
interface Repair {
  readonly fromSlot: Slot;
  /** Readings have to be of this slot at least. */
  readonly toSlot: Slot;
}

const PROGRESS_MS = 1_000;

/**
 * States: resting → (repair or beat is due) followed accounts → the rest → resting.
 *
 * The followed ones are read first, and hold the tip until they are published. In scope `all` the rest follows: the keys are listed,
 * and every account is read that is listed or was known; known and not listed is closed, which the reading says. Meanwhile the task
 * `accounts` says that it is not complete. A repair that is told while a pass runs asks for another one.
 */
export function createAccountPass(options: AccountPassOptions): AccountPass {
  const { chain, bus, program, group, followed, clock, budget, publisher, logger, metrics } = options;
  const isAll = followed.scope === 'all';
  const outage = createOutage({
    component: options.readiness.component('account-pass'),
    logger,
    failEvent: 'account.pass.fail',
    resumeEvent: 'account.pass.resume',
  });
  const progress = metrics.gauge({
    name: 'account.pass.progress',
    help: 'Lending accounts of the pass at hand, read and to be read',
    labels: ['of'],
  });
  const stopped = new AbortController();
  let wanted: Repair | null = null;
  let current: Repair | null = null;
  /** Whether the task `accounts` was published as not complete and has to be completed. */
  let isTold = false;
  let reconcileAt = Number.POSITIVE_INFINITY;

  function want({ fromSlot, toSlot }: Repair): void {
    const before = wanted ?? { fromSlot, toSlot };
    wanted = {
      fromSlot: smallerOf(fromSlot, before.fromSlot),
      toSlot: largerOf(toSlot, before.toSlot),
    };
  }

  async function tell(step: Omit<AccountsProgress, 'unixTimestamp'>, signal: AbortSignal): Promise<void> {
    const message = toAccountsProgressed({ ...step, unixTimestamp: clock.timeOf(step.slot) }, chain.source);
    await retryWithJitter(() => bus.publish([message]), {
      signal,
      maxDelayMs: 2_000,
      isRetryable: () => true,
      onRetry: (error) => outage.failed(error),
    });
  }

  /** Reads accounts call by call within the ceiling, and publishes what differs. */
  async function read(
    accounts: readonly Address[],
    toSlot: Slot,
    signal: AbortSignal,
    onRead?: (done: number) => Promise<void>,
  ): Promise<void> {
    for (let at = 0; at < accounts.length; at += READ_SIZE) {
      await budget.take(signal);
      const some = accounts.slice(at, at + READ_SIZE);
      const { seen } = await retryRead(() => readAccounts(options, some, toSlot, signal), signal);
      for (const one of seen) publisher.add(one);
      await publisher.room();
      await onRead?.(at + some.length);
    }
    await publisher.flushed();
  }

  /** One reading that fails does not begin the pass anew. */
  function retryRead<T>(task: () => Promise<T>, signal: AbortSignal): Promise<T> {
    return retryWithJitter(task, { signal, maxDelayMs: 5_000, onRetry: (error) => outage.failed(error) });
  }

  async function readAll({ toSlot }: Repair, signal: AbortSignal): Promise<void> {
    await budget.take(signal);
    const list = () => chain.listProgramAccounts(program, accountFilters(group), { signal, minContextSlot: toSlot });
    const { slot, addresses: listed } = await retryRead(list, signal);
    // Asked after the listing: an account that was told of meanwhile, and is closed by now, stands in neither otherwise.
    const accounts = [...new Set([...listed, ...(await options.knownAccounts())])];
    let toldAt = performance.now();
    await read(accounts, slot, signal, async (done) => {
      progress.set({ of: 'done' }, done);
      progress.set({ of: 'total' }, accounts.length);
      if (!isTold || performance.now() - toldAt < PROGRESS_MS) return;
      toldAt = performance.now();
      await tell({ slot, done, total: accounts.length, isComplete: false }, signal);
    });
    if (!isTold || wanted !== null) return;
    isTold = false;
    await tell({ slot, done: accounts.length, total: accounts.length, isComplete: true }, signal);
    logger.info('account.pass.complete', { accounts: accounts.length, slot });
  }

  async function pass(repair: Repair, signal: AbortSignal): Promise<void> {
    await Promise.race([options.followsReady(), untilAborted(signal)]);
    signal.throwIfAborted();
    await publisher.flushed();
    const first = isAll
      ? followed.accounts()
      : [...new Set([...followed.accounts(), ...(await options.knownAccounts())])];
    await read(first, repair.toSlot, signal);
    publisher.knowOrders(await options.knownOrders(), await options.knownRebalanceOrders());
    await budget.take(signal);
    await retryRead(() => options.orders.readAll(repair.toSlot, signal), signal);
    await publisher.flushed();
    current = null;
    if (isAll) await readAll(repair, signal);
    else await options.refollow(signal);
    reconcileAt = performance.now() + options.reconcileMs;
  }

  async function look(signal: AbortSignal): Promise<void> {
    const isDue = wanted !== null || performance.now() >= reconcileAt;
    if (!isDue) return;
    const toSlot = chain.getHighestSlot('confirmed') ?? 0n;
    const repair = wanted;
    current = repair;
    wanted = null;
    try {
      await pass(repair ?? { fromSlot: toSlot, toSlot }, signal);
      outage.recovered();
    } catch (error) {
      // What was to be made good still is.
      current = null;
      if (repair !== null) want(repair);
      else reconcileAt = performance.now();
      throw error;
    }
  }

  return {
    async repair(fromSlot, toSlot) {
      want({ fromSlot, toSlot });
      if (isTold) return;
      await Promise.race([clock.ready, untilAborted(stopped.signal)]);
      if (stopped.signal.aborted) return;
      isTold = true;
      await tell({ slot: toSlot, done: 0, total: null, isComplete: false }, stopped.signal);
    },
    reread: (aboveSlot) => want({ fromSlot: aboveSlot, toSlot: aboveSlot + 1n }),
    heldAt() {
      const slots = [wanted?.fromSlot, current?.fromSlot].filter((slot) => slot !== undefined);
      return slots.length === 0 ? null : slots.reduce(smallerOf);
    },
    async run(signal) {
      signal.addEventListener('abort', () => stopped.abort(signal.reason), { once: true });
      outage.recovered();
      await runBeat(options.lookMs, signal, look, { maxDelayMs: 5_000, onError: (error) => outage.failed(error) });
    },
  };
}
