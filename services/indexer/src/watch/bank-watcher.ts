import type { Bus } from '@lending/bus';
import type { Chain } from '@lending/chain';
import type { Message } from '@lending/events';
import { createOutage, type Logger, type Metrics, type Readiness, runBeat } from '@lending/runtime';
import { bankFilters } from '@lending/venues';
import type { Address } from '@solana/kit';
import type { BankDescription } from '#decode/bank-description.ts';
import { toBankRejected } from '#publish/bank-rejected.ts';
import { toBankUpdated } from '#publish/bank-updated.ts';
import { readBankDescriptions } from './read-bank-descriptions.ts';

export interface BankWatcherOptions {
  readonly chain: Chain;
  readonly bus: Bus;
  readonly program: Address;
  readonly group: Address;
  /** How long changes are collected before the banks are read, in milliseconds. */
  readonly collectMs: number;
  /** How often all banks are read, changed or not: notifications are best effort even on a healthy socket. */
  readonly reconcileMs: number;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly readiness: Readiness;
}

/**
 * Publishes what every bank of the group is, whenever that changes.
 *
 * A notification or a gap only marks banks as due; one reader then reads them (with clock, mint and metadata) and publishes
 * those that differ from what it published last. The first round, every gap and every reconciliation mark all of them. A bank
 * stays due until its message is durable. Resolves when the signal aborts.
 */
export async function runBankWatcher(options: BankWatcherOptions, signal: AbortSignal): Promise<void> {
  const { chain, bus, program, group, logger, metrics } = options;
  const outage = createOutage({
    component: options.readiness.component('bank-watcher'),
    logger,
    failEvent: 'bank.watch.fail',
    resumeEvent: 'bank.watch.resume',
  });
  const published = new Map<Address, string>();
  const due = new Set<Address>();
  let reconcileAt = 0;
  const updates = metrics.counter({ name: 'bank.update.publish', help: 'Changes of banks published' });
  const gaps = metrics.counter({ name: 'chain.watch.gap', help: 'Times the subscription had to catch up' });

  async function follow(): Promise<void> {
    for await (const event of chain.watchProgramAccounts(program, bankFilters(group), { signal })) {
      if (event.kind === 'account') {
        due.add(event.update.address);
        continue;
      }
      reconcileAt = 0;
      gaps.inc();
      logger.info('chain.watch.gap', { fromSlot: event.fromSlot, toSlot: event.toSlot });
    }
  }

  async function readDue(): Promise<void> {
    if (performance.now() >= reconcileAt) await markAll();
    await publishDue();
    outage.recovered();
  }

  async function markAll(): Promise<void> {
    // Set before the listing: a gap told meanwhile asks for another one, because this one may be older than the gap.
    reconcileAt = performance.now() + options.reconcileMs;
    try {
      const { accounts } = await chain.fetchProgramAccounts(program, bankFilters(group), {
        signal,
        dataSlice: { offset: 0, length: 0 },
        minContextSlot: 'highest-seen',
      });
      // A bank that was published and is no longer listed was closed: reading it says so.
      for (const address of [...accounts.map((account) => account.address), ...published.keys()]) due.add(address);
    } catch (error) {
      reconcileAt = 0;
      throw error;
    }
  }

  /** Marks set while the reading is under way stay; those of a failed reading come back. */
  async function publishDue(): Promise<void> {
    const banks = [...due];
    due.clear();
    if (banks.length === 0) return;
    try {
      await publish(banks);
    } catch (error) {
      for (const bank of banks) due.add(bank);
      throw error;
    }
  }

  async function publish(banks: readonly Address[]): Promise<void> {
    const descriptions = await readBankDescriptions(chain, program, banks, signal);
    const changed = descriptions.filter((one) => published.get(one.bank) !== fingerprint(one));
    await bus.publish(changed.map((one) => toMessage(one, chain.source)));
    for (const one of changed) {
      published.set(one.bank, fingerprint(one));
      if (one.result.kind === 'rejected')
        logger.warn('bank.account.reject', { bank: one.bank, reason: one.result.reason, detail: one.result.detail });
    }
    updates.inc(changed.length);
  }

  const reading = runBeat(options.collectMs, signal, readDue, {
    maxDelayMs: 5_000,
    onError: (error) => outage.failed(error),
  });
  await Promise.all([follow(), reading]);
}

function fingerprint({ result }: BankDescription): string {
  return result.kind === 'described' ? JSON.stringify(result.description) : result.reason;
}

function toMessage(description: BankDescription, source: Chain['source']): Message {
  const { result } = description;
  return result.kind === 'described'
    ? toBankUpdated(description, result.description, source)
    : toBankRejected(description, result.reason, source);
}
