import type { Bus } from '@lending/bus';
import type { Message, MessageSource } from '@lending/events';
import type { Logger, Metrics } from '@lending/runtime';
import type { Address } from '@solana/kit';
import type { BankDescription } from '#decode/bank-description.ts';
import { toBankRejected } from './bank-rejected.ts';
import { toBankUpdated } from './bank-updated.ts';

export interface BankPublisherOptions {
  readonly bus: Bus;
  readonly source: MessageSource;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Publishes what banks are, when that differs from what it published last. */
export interface BankPublisher {
  /** Resolves when every difference is durable. A bank whose reading is not finished has none. */
  publish(descriptions: readonly BankDescription[]): Promise<void>;
  /** The banks it has published something about. */
  known(): Iterable<Address>;
  knows(bank: Address): boolean;
}

export function createBankPublisher({ bus, source, logger, metrics }: BankPublisherOptions): BankPublisher {
  /** What was said last: a payload without slot and time. */
  const published = new Map<Address, string>();
  const updates = metrics.counter({ name: 'bank.update.publish', help: 'Changes of banks published' });
  return {
    async publish(descriptions) {
      const changed = descriptions
        .flatMap((one) => toMessages(one, source))
        .filter(({ bank, message }) => published.get(bank) !== JSON.stringify(message.payload));
      await bus.publish(changed.map(({ message }) => message));
      for (const { bank, message, result } of changed) {
        published.set(bank, JSON.stringify(message.payload));
        if (result.kind !== 'rejected') continue;
        const { reason, detail } = result;
        logger.warn('bank.account.reject', { bank, reason, detail });
      }
      updates.inc(changed.length);
    },
    known: () => published.keys(),
    knows: (bank) => published.has(bank),
  };
}

/** A description with its message; nothing when the reading is not finished. */
function toMessages(one: BankDescription, source: MessageSource): readonly (BankDescription & { message: Message })[] {
  const { result } = one;
  switch (result.kind) {
    case 'described':
      return [{ ...one, message: toBankUpdated(one, result.description, source) }];
    case 'rejected':
      return [{ ...one, message: toBankRejected(one, result.reason, source) }];
    case 'unfinished':
      return [];
  }
}
