import type { Bus } from '@lending/bus';
import type { Chain, ProgramSource } from '@lending/chain';
import { createOutage, type Logger, type Metrics, type Readiness, runBeat } from '@lending/runtime';
import { inSpan } from '@lending/tracing';
import type { Address, Slot } from '@solana/kit';
import { carriedHoldings, describeWallet, holdingsOf } from '#decode/describe-wallet.ts';
import { toWalletUpdated } from '#publish/wallet-updated.ts';
import type { ReadBudget } from '#watch/read-budget.ts';
import type { SlotClock } from '#watch/slot-clock.ts';
import { createDueWallets } from './due-wallets.ts';
import { createMintTexts } from './mint-texts.ts';

export interface WalletWatcherOptions {
  readonly chain: Chain;
  /** Where a source only polls, there are no subscriptions to hear of wallets by, either. */
  readonly source: Pick<ProgramSource, 'kind'>;
  readonly bus: Pick<Bus, 'publish'>;
  readonly clock: SlotClock;
  readonly budget: ReadBudget;
  /** How often each wallet is read, changed or not, in milliseconds; less often where the budget does not allow it. */
  readonly everyMs: number;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly readiness: Readiness;
}

/** Reads the followed wallets whenever they are heard to change, and now and then, and publishes every reading. */
export interface WalletWatcher {
  /** Reads the wallet and follows it. Resolves with the slot of the reading when that is durable. */
  follow(wallet: Address, signal: AbortSignal): Promise<Slot>;
  unfollow(wallet: Address): void;
  /** All wallets that were asked for, the one asked for last first: it is of the first ones that changes are heard. */
  rank(wallets: readonly Address[]): void;
  /** Something happened to this address; if it is a wallet, it is read soon. */
  markChanged(address: Address): void;
  run(signal: AbortSignal): Promise<void>;
}

const BEAT_MS = 100;
/** Calls that one reading takes. */
const CALLS = 3;
const PARALLEL = 8;

export function createWalletWatcher(options: WalletWatcherOptions): WalletWatcher {
  const { chain, source, bus, clock, budget, everyMs, metrics } = options;
  const mints = createMintTexts(chain);
  const wallets = createDueWallets(everyMs);
  const note = (wallet: Address, slot: Slot | null) => wallets.note(wallet, slot, performance.now());
  const heard = source.kind === 'polling' ? null : chain.createWalletWatch(note);
  const outage = createOutage({
    component: options.readiness.component('wallet-watcher'),
    logger: options.logger,
    failEvent: 'wallet.update.fail',
    resumeEvent: 'wallet.update.resume',
  });
  const updates = metrics.counter({ name: 'wallet.update.publish', help: 'Readings of wallets published' });
  metrics.gauge({ name: 'wallet.follow.count', help: 'Wallets that are followed', collect: () => wallets.size });
  metrics.gauge({
    name: 'wallet.hear.count',
    help: 'Followed wallets whose changes are heard by subscriptions; the others are read on a beat only',
    collect: () => heard?.count() ?? 0,
  });

  const update = (wallet: Address, signal: AbortSignal): Promise<Slot> =>
    inSpan('lending.indexer', { name: 'read wallet' }, () => readAndPublish(wallet, signal));

  async function readAndPublish(wallet: Address, signal: AbortSignal): Promise<Slot> {
    const startMs = performance.now();
    const read = await chain.fetchTokenAccountsOfOwner(wallet, { signal, minContextSlot: 'highest-seen' });
    const holdings = holdingsOf(wallet, read);
    const texts = await mints.fetch(
      carriedHoldings(holdings).map(({ mint }) => mint),
      signal,
    );
    const payload = describeWallet(wallet, read.lamports, holdings, texts);
    const { slot } = read;
    await bus.publish([toWalletUpdated(payload, { slot, unixTimestamp: clock.timeOf(slot) }, chain.source)]);
    wallets.settle(wallet, { startMs, slot });
    updates.inc();
    return slot;
  }

  async function updateInTurn(wallet: Address, signal: AbortSignal): Promise<void> {
    for (let call = 0; call < CALLS; call += 1) await budget.take(signal);
    try {
      await update(wallet, signal);
    } catch (error) {
      wallets.fail(wallet, performance.now());
      throw error;
    }
  }

  async function readDue(signal: AbortSignal): Promise<void> {
    const next = () => (signal.aborted ? [] : wallets.next(performance.now(), PARALLEL));
    for (let due = next(); due.length > 0; due = next()) {
      const results = await Promise.allSettled(due.map((wallet) => updateInTurn(wallet, signal)));
      const failed = results.find((result) => result.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
    }
    outage.recovered();
  }

  return {
    async follow(wallet, signal) {
      wallets.add(wallet, performance.now());
      budget.spend(CALLS);
      await clock.ready;
      return update(wallet, signal);
    },
    unfollow: (wallet) => wallets.delete(wallet),
    rank: (ranked) => heard?.select(ranked),
    markChanged: (address) => note(address, null),
    async run(signal) {
      const reading = runBeat(BEAT_MS, signal, readDue, {
        maxDelayMs: 5_000,
        onError: (error) => outage.failed(error),
      });
      await Promise.all([reading, heard?.run(signal)]);
    },
  };
}
