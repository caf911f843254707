import { hash } from 'node:crypto';
import type { Bus } from '@lending/bus';
import type { Chain } from '@lending/chain';
import { createOutage, type Logger, type Metrics, type Readiness, runBeat } from '@lending/runtime';
import type { Address, Slot } from '@solana/kit';
import { carriedHoldings, describeWallet, holdingsOf } from '#decode/describe-wallet.ts';
import { toWalletUpdated } from '#publish/wallet-updated.ts';
import { createMintTexts } from './mint-texts.ts';
import type { ReadBudget } from './read-budget.ts';
import type { SlotClock } from './slot-clock.ts';

export interface WalletWatcherOptions {
  readonly chain: Chain;
  readonly bus: Pick<Bus, 'publish'>;
  readonly clock: SlotClock;
  readonly budget: ReadBudget;
  /** How often each wallet is read, changed or not, in milliseconds; less often where the budget does not allow it. */
  readonly everyMs: number;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly readiness: Readiness;
}

/** Publishes what the followed wallets hold, whenever that changes. */
export interface WalletWatcher {
  /** Reads the wallet and follows it. Resolves with the slot of the reading when that is durable. */
  follow(wallet: Address, signal: AbortSignal): Promise<Slot>;
  unfollow(wallet: Address): void;
  /** Something happened to these addresses; the wallets among them are read soon. */
  markChanged(addresses: Iterable<Address>): void;
  run(signal: AbortSignal): Promise<void>;
}

const BEAT_MS = 250;
/** A wallet that changes all the time is not read more often than this. */
const SOONEST_MS = 1_000;
/** Calls that one reading takes. */
const CALLS = 3;
const PARALLEL = 8;

interface FollowedWallet {
  dueMs: number;
  readMs: number;
  /** Of what was published last. */
  published: string | null;
}

export function createWalletWatcher(options: WalletWatcherOptions): WalletWatcher {
  const { chain, bus, clock, budget, everyMs, metrics } = options;
  const mints = createMintTexts(chain);
  const wallets = new Map<Address, FollowedWallet>();
  const outage = createOutage({
    component: options.readiness.component('wallet-watcher'),
    logger: options.logger,
    failEvent: 'wallet.update.fail',
    resumeEvent: 'wallet.update.resume',
  });
  const updates = metrics.counter({ name: 'wallet.update.publish', help: 'Changes of wallets published' });
  metrics.gauge({ name: 'wallet.follow.count', help: 'Wallets that are followed', collect: () => wallets.size });

  /** Reads a wallet and publishes it if it differs, or if somebody asked. */
  async function update(wallet: Address, isAsked: boolean, signal: AbortSignal): Promise<Slot> {
    const known = wallets.get(wallet);
    const read = await chain.fetchTokenAccountsOfOwner(wallet, { signal, minContextSlot: 'highest-seen' });
    const holdings = holdingsOf(wallet, read);
    const texts = await mints.fetch(
      carriedHoldings(holdings).map(({ mint }) => mint),
      signal,
    );
    const payload = describeWallet(wallet, read.lamports, holdings, texts);
    const content = hash('sha1', JSON.stringify(payload), 'base64');
    if (known !== undefined) known.dueMs = performance.now() + everyMs;
    if (known?.published === content && !isAsked) return read.slot;
    await bus.publish([
      toWalletUpdated(payload, { slot: read.slot, unixTimestamp: clock.timeOf(read.slot) }, chain.source),
    ]);
    if (known !== undefined) known.published = content;
    updates.inc();
    return read.slot;
  }

  async function readNext(signal: AbortSignal): Promise<void> {
    const now = performance.now();
    const due = [...wallets].filter(([, { dueMs }]) => dueMs <= now).sort(([, a], [, b]) => a.dueMs - b.dueMs);
    const some = due.slice(0, PARALLEL);
    const results = await Promise.allSettled(
      some.map(async ([wallet, state]) => {
        for (let call = 0; call < CALLS; call += 1) await budget.take(signal);
        state.readMs = performance.now();
        await update(wallet, false, signal);
      }),
    );
    const failed = results.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    outage.recovered();
  }

  return {
    async follow(wallet, signal) {
      const now = performance.now();
      if (!wallets.has(wallet)) wallets.set(wallet, { dueMs: now + everyMs, readMs: now, published: null });
      budget.spend(CALLS);
      await clock.ready;
      return update(wallet, true, signal);
    },
    unfollow: (wallet) => void wallets.delete(wallet),
    markChanged(addresses) {
      for (const address of addresses) {
        const wallet = wallets.get(address);
        if (wallet !== undefined) wallet.dueMs = Math.min(wallet.dueMs, wallet.readMs + SOONEST_MS);
      }
    },
    run: (signal) =>
      runBeat(BEAT_MS, signal, readNext, { maxDelayMs: 5_000, onError: (error) => outage.failed(error) }),
  };
}
