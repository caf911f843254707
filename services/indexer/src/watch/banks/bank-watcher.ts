import type { Bus } from '@lending/bus';
import type { AccountUpdate, Chain, ProgramSource } from '@lending/chain';
import { createOutage, type Logger, type Metrics, type Readiness, runBeat } from '@lending/runtime';
import { inSpan } from '@lending/tracing';
import { bankFilters } from '@lending/venues';
import type { Address } from '@solana/kit';
import { createBankPublisher } from '#publish/bank-publisher.ts';
import type { GapEvent, ProgramSink } from '#watch/program-stream.ts';
import { createDueBanks } from './due-banks.ts';
import { markKnownBanks } from './mark-known-banks.ts';
import { readBankDescriptions } from './read-bank-descriptions.ts';

export interface BankWatcherOptions {
  readonly chain: Chain;
  /** What the stream comes from. */
  readonly sourceKind: ProgramSource['kind'];
  readonly bus: Bus;
  readonly program: Address;
  readonly group: Address;
  /** How long changes are collected before the banks are read, in milliseconds. */
  readonly collectMs: number;
  /** How often all banks are read, changed or not: notifications are best effort even on a healthy socket. */
  readonly reconcileMs: number;
  /** Banks of the group that were on this chain when somebody last looked; asked at the start and on every reconciliation. */
  readonly knownBanks: () => Promise<readonly Address[]>;
  /** Called with each bank, and the group, as they were read from a node. */
  readonly onRead?: (account: AccountUpdate) => void;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly readiness: Readiness;
}

export interface BankWatcher extends ProgramSink {
  /** Reads and publishes banks until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
}

/** A longer gap than this, in slots (about a minute), is none of a polling source's beats. */
const BEAT_SLOTS = 150n;

/**
 * Publishes what every bank of the group is, whenever that changes.
 *
 * A notification or a gap only marks banks as due; one reader then reads them (with clock, mint and metadata) and publishes
 * those that differ from what it published last. The first round, every gap and every reconciliation mark all of them, those
 * closed since somebody last looked too. A bank stays due until its message is durable.
 */
export function createBankWatcher(options: BankWatcherOptions): BankWatcher {
  const { chain, sourceKind, bus, program, group, logger, metrics } = options;
  const outage = createOutage({
    component: options.readiness.component('bank-watcher'),
    logger,
    failEvent: 'bank.watch.fail',
    resumeEvent: 'bank.watch.resume',
  });
  const due = createDueBanks();
  const publisher = createBankPublisher({ bus, source: chain.source, logger, metrics });
  let reconcileAt = 0;

  /** A source that polls tells a gap with every beat; which banks changed meanwhile, the reconciliation finds. */
  function isNews({ fromSlot, toSlot }: GapEvent): boolean {
    return sourceKind !== 'polling' || fromSlot === 0n || toSlot - fromSlot > BEAT_SLOTS;
  }

  async function markAll(signal: AbortSignal): Promise<void> {
    // Set before the listing: a gap told meanwhile asks for another one, because this one may be older than the gap.
    reconcileAt = performance.now() + options.reconcileMs;
    try {
      const { addresses } = await chain.listProgramAccounts(program, bankFilters(group), {
        signal,
        minContextSlot: 'highest-seen',
      });
      due.add(addresses);
      const [answer] = await chain.fetchAccountGroups([[group]], { signal, minContextSlot: 'highest-seen' });
      if (answer?.accounts[0]) options.onRead?.(answer.accounts[0]);
      // A bank that was published and is no longer listed was closed: reading it says so.
      due.add(publisher.known());
    } catch (error) {
      reconcileAt = 0;
      throw error;
    }
  }

  /** @returns the banks that could not be read to the end. */
  async function publish(banks: readonly Address[], signal: AbortSignal): Promise<readonly Address[]> {
    const descriptions = await readBankDescriptions(options, banks, signal);
    await publisher.publish(descriptions);
    return descriptions.filter(({ result }) => result.kind === 'unfinished').map(({ bank }) => bank);
  }

  async function readDue(signal: AbortSignal): Promise<void> {
    if (performance.now() >= reconcileAt) await markAll(signal);
    await due.handle((banks) => inSpan('lending.indexer', { name: 'read banks' }, () => publish(banks, signal)));
    outage.recovered();
  }

  return {
    async gap(event) {
      if (isNews(event)) reconcileAt = 0;
    },
    account({ update }) {
      // What is gone has no bytes that say whether it was a bank.
      if (update.data.length > 0 || publisher.knows(update.address)) due.add([update.address]);
    },
    transaction: () => undefined,
    slot: () => undefined,
    room: () => null,
    durableSlot: () => null,
    async run(signal) {
      const reading = runBeat(options.collectMs, signal, readDue, {
        maxDelayMs: 5_000,
        onError: (error) => outage.failed(error),
      });
      await Promise.all([markKnownBanks(options, due, signal), reading]);
    },
  };
}
