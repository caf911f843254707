import type { Bus } from '@lending/bus';
import { describeError } from '@lending/errors';
import type { Message, MessageSource } from '@lending/events';
import type { Logger, Metrics, Outage } from '@lending/runtime';
import type { Address, Slot } from '@solana/kit';
import { createPublishQueue, type PublishQueue } from './publish-queue.ts';
import { type DescribedState, describeState, type SeenState, toStateMessage } from './seen-state.ts';
import { VersionTable } from './version-table.ts';

export interface AccountPublisherOptions {
  readonly bus: Pick<Bus, 'publish'>;
  readonly source: MessageSource;
  readonly program: Address;
  readonly group: Address;
  /** Unix seconds of a slot. */
  readonly timeOf: (slot: Slot) => bigint;
  /** Whether states of an account are published; its authority is null where the account is gone. */
  readonly isWanted: (account: Address, authority: Address | null) => boolean;
  /** What was seen counts: it is durable, or there was nothing to say. */
  readonly onDone: (seen: SeenState) => void;
  /** An account of this authority changed. */
  readonly onChanged: (authority: Address) => void;
  /** An account changed that has standing orders, or had: those may have changed, too. */
  readonly onOrdersMayDiffer: (account: Address) => void;
  readonly outage: Outage;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Publishes what lending accounts and their orders are, in the order of their versions, when that differs from what it published last. */
export interface AccountPublisher extends PublishQueue<SeenState> {
  /** Slot of the newest version taken in of an account that is wanted; null for any other. */
  slotOf(account: Address): Slot | null;
  /** The next state of the account is published whatever it says. */
  forget(account: Address): void;
  /** Standing orders, by their address, with the account they are of. */
  readonly orders: ReadonlyMap<Address, Address>;
  /** The same of orders to rebalance. */
  readonly rebalanceOrders: ReadonlyMap<Address, Address>;
  /** Orders that the tables have, so that it can be said that they are gone. */
  knowOrders(orders: KnownOrders, rebalanceOrders: KnownOrders): void;
}

type KnownOrders = Iterable<readonly [order: Address, account: Address]>;

export function createAccountPublisher(options: AccountPublisherOptions): AccountPublisher {
  const { bus, program, group, isWanted, onOrdersMayDiffer, outage, logger, metrics } = options;
  const versions = new VersionTable();
  const orders = new Map<Address, Address>();
  const rebalanceOrders = new Map<Address, Address>();
  const rejected = new Set<Address>();
  const updates = metrics.counter({
    name: 'account.update.publish',
    help: 'Changes of lending accounts and orders published',
    labels: ['kind'],
  });
  const rejects = metrics.counter({
    name: 'account.update.reject',
    help: 'Lending accounts and orders that could not be read and were skipped',
  });
  metrics.gauge({
    name: 'account.version.know',
    help: 'Lending accounts and orders whose newest version is remembered',
    collect: () => versions.size,
  });

  function isOurs(described: DescribedState): boolean {
    if (described.kind !== 'account') return isWanted(described.account, null);
    const { account, state } = described;
    if (state !== null && state.group !== group) return false;
    return isWanted(account, (state?.authority ?? null) as Address | null);
  }

  function toMessage(seen: SeenState): Message | null {
    const { address, isAsked } = seen;
    if (versions.isOutdated(address, seen)) return null;
    const described = describeState(seen, program, (order) => orders.get(order) ?? rebalanceOrders.get(order) ?? null);
    if (described === null || !isOurs(described)) return null;
    const isNews = versions.put(address, seen, JSON.stringify(described.state));
    if (!isNews && !isAsked) return null;
    noteOrders(described);
    if (described.kind === 'account' && described.state !== null)
      options.onChanged(described.state.authority as Address);
    const message = toStateMessage(described, seen, options);
    updates.inc({ kind: described.kind });
    return message;
  }

  function noteOrders(described: DescribedState): void {
    if (described.kind !== 'account') {
      const known = described.kind === 'order' ? orders : rebalanceOrders;
      if (described.state === null) known.delete(described.order);
      else known.set(described.order, described.account);
      return;
    }
    const { account, state } = described;
    const hadOrders = [orders, rebalanceOrders].some((known) => [...known.values()].includes(account));
    if ((state?.activeOrders ?? 0) > 0 || hadOrders) onOrdersMayDiffer(account);
  }

  function reject({ address, kind }: SeenState, error: unknown): void {
    rejects.inc();
    if (rejected.has(address)) return;
    // Names that were said once; a chain full of them must not fill the memory.
    if (rejected.size < 10_000) rejected.add(address);
    logger.warn('account.update.reject', { account: address, kind, reason: describeError(error) });
  }

  const queue = createPublishQueue<SeenState>({
    bus,
    outage,
    toMessages: (items) =>
      items.flatMap((seen) => {
        try {
          return toMessage(seen) ?? [];
        } catch (error) {
          reject(seen, error);
          return [];
        }
      }),
    onPublished(items) {
      for (const seen of items) options.onDone(seen);
    },
  });
  return Object.assign(queue, {
    slotOf: (account: Address) => versions.slotOf(account),
    forget: (account: Address) => versions.forget(account),
    orders,
    rebalanceOrders,
    knowOrders(known: KnownOrders, knownToRebalance: KnownOrders) {
      for (const [order, account] of known) orders.set(order, account);
      for (const [order, account] of knownToRebalance) rebalanceOrders.set(order, account);
    },
  });
}
