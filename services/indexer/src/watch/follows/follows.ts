import type { Bus } from '@lending/bus';
import type { Chain } from '@lending/chain';
import type { FollowAspect } from '@lending/domain';
import { createOutage, type Logger, type Metrics, type Readiness, retryWithJitter, runBeat } from '@lending/runtime';
import { type Address, isAddress } from '@solana/kit';
import { toAddressFollowed } from '#publish/address-followed.ts';
import type { AccountWatcher } from '#watch/accounts/account-watcher.ts';
import type { FollowedAccounts } from '#watch/accounts/followed-accounts.ts';
import type { ActivityFollower } from '#watch/activity/activity-follower.ts';
import type { ReadBudget } from '#watch/read-budget.ts';
import type { SlotClock } from '#watch/slot-clock.ts';
import type { WalletWatcher } from '#watch/wallets/wallet-watcher.ts';
import { createFollowAnswers } from './follow-answers.ts';

/** An address that somebody wants to know about. It may be no address at all. */
export interface FollowRequest {
  readonly address: string;
  readonly aspect: FollowAspect;
  /** Since when it stands, in unix milliseconds: one that lapsed and is asked for again is another request. */
  readonly followedMs: number;
  readonly isAnswered: boolean;
  /** The lending accounts it was answered with; empty when it was not. */
  readonly accounts: readonly Address[];
}

/** Where requests are written down. */
export interface FollowRequests {
  /** Those that stand, oldest first. */
  list(): Promise<readonly FollowRequest[]>;
  /** Calls back whenever the list may have changed. */
  onChange(callback: () => void): () => unknown;
}

export interface FollowsOptions {
  readonly chain: Chain;
  readonly bus: Pick<Bus, 'publish'>;
  readonly program: Address;
  readonly group: Address;
  readonly requests: FollowRequests;
  readonly followed: FollowedAccounts;
  readonly accounts: Pick<AccountWatcher, 'publishAsked' | 'forget'>;
  readonly wallets: Pick<WalletWatcher, 'follow' | 'unfollow' | 'rank'>;
  readonly activity: Pick<ActivityFollower, 'follow' | 'unfollow'>;
  readonly clock: SlotClock;
  readonly budget: ReadBudget;
  /** How many requests are followed at most. */
  readonly limit: number;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly readiness: Readiness;
}

/** Answers requests, and follows what was asked for until nobody asks any more. */
export interface Follows {
  /** Resolves when the requests of before were met once: what they follow is known from then on. */
  readonly ready: Promise<void>;
  /** Looks again which accounts the followed addresses have, and publishes those. */
  refollow(signal: AbortSignal): Promise<void>;
  /** More is known of a followed address than was answered: accounts that are new, a past that is read. */
  answerAgain(asked: Address, aspects: readonly FollowAspect[], signal: AbortSignal): void;
  run(signal: AbortSignal): Promise<void>;
}

/** Notifications are best effort; so often the list is read without one. */
const LIST_MS = 5_000;
/** Requests that are answered at the same time. */
const PARALLEL = 32;
/** Reads that finding the accounts of an address takes. */
const FIND_CALLS = 2;

const keyOf = ({ aspect, address }: Pick<FollowRequest, 'aspect' | 'address'>): string => `${aspect}:${address}`;

/**
 * States of a request: (listed) → answering → followed → (no longer listed) gone. One that cannot be answered because the chain or the log
 * is away stays with `answering` and is tried again on the next look.
 *
 * An address counts as followed before the chain is read for it, so that nothing that happens meanwhile is missed. Those that nobody
 * answered yet go first; those answered before a restart are read again behind them, within the ceiling.
 */
export function createFollows(options: FollowsOptions): Follows {
  const { chain, bus, requests, followed, accounts, wallets, activity, clock, budget, limit, logger, metrics } =
    options;
  const { promise: ready, resolve: setReady } = Promise.withResolvers<void>();
  const following = new Map<string, FollowRequest>();
  const waiting = new Map<string, FollowRequest>();
  let inFlight = 0;
  let isLooking = false;
  let isLookAsked = false;
  const outage = createOutage({
    component: options.readiness.component('follows'),
    logger,
    failEvent: 'address.follow.fail',
    resumeEvent: 'address.follow.resume',
  });
  const answers = createFollowAnswers(options);
  const answered = metrics.counter({ name: 'address.follow.answer', help: 'Requests answered', labels: ['aspect'] });
  const seconds = metrics.histogram({
    name: 'address.follow.answer',
    help: 'From the request being seen to its answer being durable',
    unit: 'seconds',
    labels: ['aspect'],
  });
  metrics.gauge({ name: 'address.follow.count', help: 'Requests that are followed', collect: () => following.size });

  async function answer(request: FollowRequest, signal: AbortSignal): Promise<void> {
    const startMs = performance.now();
    const { address, aspect, isAnswered } = request;
    // Who waits for an answer does not wait for the ceiling; what was answered before does.
    if (isAnswered) for (let call = 0; call < FIND_CALLS; call += 1) await budget.take(signal);
    else budget.spend(FIND_CALLS);
    const { slot, accounts: found, isComplete } = await answers.find(address, aspect, signal);
    // It lapsed meanwhile: what was begun for it is followed by nobody.
    if (!following.has(keyOf(request))) return stop(request);
    const payload = { address, aspect, accounts: [...found], isComplete };
    await clock.ready;
    await bus.publish([toAddressFollowed(payload, { slot, unixTimestamp: clock.timeOf(slot) }, chain.source)]);
    answered.inc({ aspect });
    if (!isAnswered) seconds.observe({ aspect }, (performance.now() - startMs) / 1_000);
  }

  function start(request: FollowRequest): void {
    const { address, aspect } = request;
    following.set(keyOf(request), request);
    if (aspect !== 'accounts' || !isAddress(address)) return;
    followed.follow(address);
    followed.found(address, request.accounts);
  }

  function stop(request: FollowRequest): void {
    const { address, aspect } = request;
    following.delete(keyOf(request));
    waiting.delete(keyOf(request));
    if (!isAddress(address)) return;
    if (aspect === 'accounts') accounts.forget(followed.unfollow(address));
    if (aspect === 'activity') activity.unfollow(address);
    if (aspect === 'wallet') wallets.unfollow(address);
  }

  /** Compares the list with what is followed. */
  async function look(signal: AbortSignal): Promise<void> {
    const listed = new Map((await requests.list()).slice(0, limit).map((request) => [keyOf(request), request]));
    for (const [key, request] of following) if (!listed.has(key)) stop(request);
    wallets.rank(
      [...listed.values()].flatMap(({ aspect, address }) => (aspect === 'wallet' && isAddress(address) ? address : [])),
    );
    for (const [key, request] of listed) {
      // Another one under the same key lapsed and came back between two looks: nothing was missed, but nobody answered it.
      if (following.get(key)?.followedMs === request.followedMs) continue;
      start(request);
      waiting.set(key, request);
    }
    setReady();
    outage.recovered();
    serve(signal);
  }

  /** Starts as many answers as may be under way, unanswered requests first. */
  function serve(signal: AbortSignal): void {
    const next = [...waiting.values()].sort((a, b) => Number(a.isAnswered) - Number(b.isAnswered));
    for (const request of next) {
      if (inFlight >= PARALLEL || signal.aborted) return;
      const key = keyOf(request);
      waiting.delete(key);
      inFlight += 1;
      answer(request, signal)
        .catch((error: unknown) => {
          if (signal.aborted) return;
          outage.failed(error);
          if (following.has(key)) waiting.set(key, request);
        })
        .finally(() => {
          inFlight -= 1;
          // A failure waits for the next look, so that a chain that is away is not asked without a pause.
          if (!waiting.has(key)) serve(signal);
        });
    }
  }

  /** One look at a time; asked for meanwhile, another one follows. */
  async function lookSoon(signal: AbortSignal): Promise<void> {
    isLookAsked = true;
    if (isLooking) return;
    isLooking = true;
    try {
      while (isLookAsked && !signal.aborted) {
        isLookAsked = false;
        await look(signal);
      }
    } finally {
      isLooking = false;
    }
  }

  return {
    ready,
    async refollow(signal) {
      for (const { address, aspect } of [...following.values()]) {
        if (aspect !== 'accounts' || !isAddress(address)) continue;
        for (let call = 0; call < FIND_CALLS; call += 1) await budget.take(signal);
        await retryWithJitter(() => answers.find(address, aspect, signal), { signal, maxDelayMs: 5_000 });
      }
    },
    answerAgain(asked, aspects, signal) {
      for (const aspect of aspects) {
        const request = following.get(keyOf({ aspect, address: asked }));
        if (request !== undefined) waiting.set(keyOf(request), { ...request, isAnswered: true });
      }
      serve(signal);
    },
    async run(signal) {
      const stopListening = requests.onChange(() => {
        lookSoon(signal).catch((error: unknown) => outage.failed(error));
      });
      await runBeat(LIST_MS, signal, lookSoon, { maxDelayMs: LIST_MS, onError: (error) => outage.failed(error) });
      await stopListening();
    },
  };
}
