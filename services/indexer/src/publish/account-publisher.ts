import type { Bus } from '@lending/bus';
import { describeError } from '@lending/errors';
import { createMessage, type Message, type MessageSource } from '@lending/events';
import type { Logger, Metrics, Outage } from '@lending/runtime';
import { type AccountBytes, decodeMarginfiAccount } from '@lending/venues';
import type { Address, Slot } from '@solana/kit';
import { describeAccount } from '#decode/describe-account.ts';
import { createPublishQueue, type PublishQueue } from './publish-queue.ts';
import { type Version, VersionTable } from './version-table.ts';

/** A lending account as it was seen. */
export interface SeenAccount extends Version {
  readonly address: Address;
  /** Null: the chain has no such account (any more). */
  readonly bytes: AccountBytes | null;
  /** Published even if it says what was published last: the tables may have forgotten it. */
  readonly isAsked: boolean;
}

export interface AccountPublisherOptions {
  readonly bus: Pick<Bus, 'publish'>;
  readonly source: MessageSource;
  readonly program: Address;
  readonly group: Address;
  /** Unix seconds of a slot. */
  readonly timeOf: (slot: Slot) => bigint;
  /** Whether states of an account are published; its authority is null where the account is gone. */
  readonly isWanted: (account: Address, authority: Address | null) => boolean;
  readonly outage: Outage;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Publishes what lending accounts are, in the order of their versions, when that differs from what it published last. */
export interface AccountPublisher extends Omit<PublishQueue<SeenAccount>, 'durable'> {
  /** How many of those added are durable. */
  readonly durable: number;
  /** Slot of the newest version taken in of an account that is wanted; null for any other. */
  slotOf(account: Address): Slot | null;
  /** The next state of the account is published whatever it says. */
  forget(account: Address): void;
}

export function createAccountPublisher(options: AccountPublisherOptions): AccountPublisher {
  const { bus, source, program, group, timeOf, isWanted, outage, logger, metrics } = options;
  const versions = new VersionTable();
  const rejected = new Set<Address>();
  const updates = metrics.counter({ name: 'account.update.publish', help: 'Changes of lending accounts published' });
  const rejects = metrics.counter({
    name: 'account.update.reject',
    help: 'Lending accounts that could not be read and were skipped',
  });
  metrics.gauge({
    name: 'account.version.know',
    help: 'Lending accounts whose newest version is remembered',
    collect: () => versions.size,
  });

  function toMessage(seen: SeenAccount): Message | null {
    const { address, slot, writeVersion, bytes } = seen;
    if (versions.isOutdated(address, seen)) return null;
    const decoded = bytes && decodeMarginfiAccount(bytes, program);
    if (decoded !== null && decoded.group !== group) return null;
    if (!isWanted(address, decoded?.authority ?? null)) return null;
    const state = decoded && describeAccount(decoded);
    const isNews = versions.put(address, seen, JSON.stringify(state));
    if (!isNews && !seen.isAsked) return null;
    const unixTimestamp = timeOf(slot);
    const part = writeVersion === null ? {} : { part: writeVersion.toString() };
    const payload = { account: address, writeVersion: writeVersion?.toString() ?? null, state };
    return createMessage({ topic: 'account.updated.v1', key: address, slot, unixTimestamp, source, ...part, payload });
  }

  function reject({ address }: SeenAccount, error: unknown): void {
    rejects.inc();
    if (rejected.has(address)) return;
    // Names that were said once; a chain full of them must not fill the memory.
    if (rejected.size < 10_000) rejected.add(address);
    logger.warn('account.update.reject', { account: address, reason: describeError(error) });
  }

  const queue = createPublishQueue<SeenAccount>({
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
    onPublished: (_, messages) => updates.inc(messages.length),
  });
  return Object.assign(queue, {
    slotOf: (account: Address) => versions.slotOf(account),
    forget: (account: Address) => versions.forget(account),
  });
}
