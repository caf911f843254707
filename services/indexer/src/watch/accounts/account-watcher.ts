import type { AccountUpdate } from '@lending/chain';
import { largerOf, smallerOf } from '@lending/domain';
import { createOutage, runBeat } from '@lending/runtime';
import { kindOfAccount } from '@lending/venues';
import type { Address, Slot } from '@solana/kit';
import { type AccountPublisher, createAccountPublisher } from '#publish/account-publisher.ts';
import type { ProgramSink } from '#watch/program-stream.ts';
import { untilAborted } from '#watch/until-aborted.ts';
import { type AccountPassOptions, createAccountPass } from './account-pass.ts';
import { createDueAccounts } from './due-accounts.ts';
import { createOrderReader } from './order-reader.ts';
import { READ_SIZE, readAccounts } from './read-accounts.ts';
import { createRecentSlots } from './recent-slots.ts';

export interface AccountWatcherOptions extends Omit<AccountPassOptions, 'orders' | 'publisher' | 'lookMs'> {
  /** An account of this authority changed. */
  readonly onChanged: (authority: Address) => void;
  /** How long a notification is waited for before an account that was touched is read; default 500 ms. */
  readonly patienceMs?: number;
  /** How often it is looked whether something is due; default 100 ms. */
  readonly lookMs?: number;
}

export interface AccountWatcher extends ProgramSink {
  /**
   * Accounts that a transaction of a slot touched. Those that no notification tells of soon are read: closed ones, which
   * subscriptions with filters do not tell, and everything where the source only polls. To be told before the transaction's slot
   * counts as durable elsewhere.
   */
  markDue(accounts: Iterable<Address>, slot: Slot): void;
  /** Slots up to this one may have been told of a fork that lost: everything is read again above it. */
  reread(aboveSlot: Slot): void;
  /** Publishes accounts that were read because somebody asked; resolves when that is durable. */
  publishAsked(accounts: readonly AccountUpdate[]): Promise<void>;
  /** The tables may forget the accounts: nobody asks for them any more. */
  forget(accounts: readonly Address[]): void;
  /** Publishes, reads what is due and reconciles until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
}

/**
 * The longest gap, in slots, whose touched accounts its transactions tell: those are paged anyway, and with a polling source there is
 * a gap in every beat. After a longer one everything is read again, because a listing costs less than that many transactions.
 */
const SHORT_GAP_SLOTS = 200n;

/**
 * Publishes what every lending account of the group is (or of those followed), whenever that changes.
 *
 * A notification is decoded and published at once. What notifications may have missed is read: accounts that a transaction touched
 * (`markDue`), all of them after a start, a long gap, a fork that lost and on the reconcile beat (`AccountPass`). Both ways lead through
 * one publisher, where the slot decides: a reading never overwrites a newer notification.
 */
export function createAccountWatcher(options: AccountWatcherOptions): AccountWatcher {
  const { chain, bus, program, group, followed, clock, budget, logger, metrics, readiness } = options;
  const { patienceMs = 500, lookMs = 100 } = options;
  const outage = (component: string, area: 'account.update' | 'account.read') =>
    createOutage({
      component: readiness.component(component),
      logger,
      failEvent: `${area}.fail`,
      resumeEvent: `${area}.resume`,
    });
  const reading = outage('account-reader', 'account.read');
  const due = createDueAccounts();
  /** Notifications of accounts that are not published: their touch need not be read either. */
  const recent = createRecentSlots();
  const publisher: AccountPublisher = createAccountPublisher({
    bus,
    source: chain.source,
    program,
    group,
    timeOf: clock.timeOf,
    isWanted: followed.isWanted,
    onDone: ({ address, slot }) => due.seen(address, slot),
    onChanged: options.onChanged,
    onOrdersMayDiffer: (account) => orders.markDue(account),
    outage: outage('account-publisher', 'account.update'),
    logger,
    metrics,
  });
  const orders = createOrderReader({ ...options, lookMs, publisher });
  const pass = createAccountPass({ ...options, lookMs, publisher, orders });
  metrics.gauge({
    name: 'account.read.due',
    help: 'Lending accounts that a transaction touched and that wait to be read',
    collect: () => due.size,
  });

  /** What was told before each slot event: (count added by then, slot before it). */
  const marks: { readonly added: number; readonly slot: Slot }[] = [];
  let durable: Slot | null = null;
  /** Accounts touched up to this slot are read by a pass: the past that is read besides has nothing to say about them. */
  let passFloor = 0n;

  function add(update: AccountUpdate, writeVersion: bigint | null, isAsked: boolean): void {
    const { address, slot } = update;
    const isGone = update.lamports === 0n || update.owner !== program;
    const kind = kindOfAccount(update.data) === 'order' || publisher.orders.has(address) ? 'order' : 'account';
    publisher.add({ kind, address, slot, writeVersion, bytes: isGone ? null : update, isAsked });
  }

  async function readDue(signal: AbortSignal): Promise<void> {
    const ripe = due.ripe(patienceMs, READ_SIZE);
    if (ripe.length === 0) return reading.recovered();
    await budget.take(signal);
    const newest = ripe.map(({ slot }) => slot).reduce(largerOf);
    const accounts = ripe.map(({ account }) => account);
    const batch = await readAccounts(options, accounts, newest, signal);
    for (const seen of batch.seen) publisher.add(seen);
    await publisher.flushed();
    due.done(accounts, batch.slot);
    reading.recovered();
  }

  return {
    async gap({ fromSlot, toSlot }) {
      if (fromSlot > 0n && toSlot - fromSlot <= SHORT_GAP_SLOTS) return;
      passFloor = largerOf(passFloor, toSlot);
      await pass.repair(fromSlot, toSlot);
    },
    account({ update, writeVersion }) {
      recent.add(update.address, update.slot);
      const isGone = update.lamports === 0n;
      // Whether it was a lending account can no longer be seen.
      if (isGone && publisher.slotOf(update.address) === null) return;
      add(update, writeVersion, false);
    },
    transaction: () => undefined,
    slot({ slot }) {
      marks.push({ added: publisher.added, slot: slot - 1n });
    },
    room: () => publisher.room(),
    durableSlot() {
      while (marks[0] !== undefined && marks[0].added <= publisher.durable) durable = marks.shift()?.slot ?? durable;
      if (durable === null) return null;
      const oldestDue = due.oldest();
      const untouched = oldestDue === null ? durable : oldestDue - 1n;
      const held = [durable, untouched, pass.heldAt() ?? durable].reduce(smallerOf);
      return held > 0n ? held : null;
    },
    markDue(accounts, slot) {
      const touched = [...accounts];
      if (slot <= passFloor) return;
      // Terms of an order to rebalance, and what its pool holds, change without the account.
      const toRebalance = new Set(publisher.rebalanceOrders.values());
      if (toRebalance.size > 0) for (const account of touched) if (toRebalance.has(account)) orders.markDue(account);
      const missed = touched.filter((account) => {
        const seenAt = publisher.slotOf(account) ?? recent.slotOf(account);
        return seenAt === null || seenAt < slot;
      });
      due.add(missed, slot);
    },
    reread(aboveSlot) {
      passFloor = largerOf(passFloor, aboveSlot);
      pass.reread(aboveSlot);
    },
    async publishAsked(accounts) {
      for (const account of accounts) add(account, null, true);
      await publisher.flushed();
    },
    forget(accounts) {
      for (const account of accounts) publisher.forget(account);
    },
    async run(signal) {
      await Promise.race([clock.ready, untilAborted(signal)]);
      await Promise.all([
        publisher.run(signal),
        runBeat(lookMs, signal, readDue, { maxDelayMs: 2_000, onError: (error) => reading.failed(error) }),
        orders.run(signal),
        pass.run(signal),
      ]);
    },
  };
}
