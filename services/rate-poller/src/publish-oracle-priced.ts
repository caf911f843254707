import { type Message, type MessageSource, messageId } from '@lending/events';
import { priceFeedOf } from '@lending/venues';
import { toTime } from './publish-rate-sampled.ts';
import type { BankReading } from './read-banks.ts';

/** The message of what a bank's oracle said, or why it says nothing. A stale price is passed on with its time. */
export function toOraclePriced(reading: BankReading, source: MessageSource): Message<'oracle.priced.v1'> {
  const { bank, slot, price } = reading;
  const priced = price.kind === 'priced' ? price : null;
  return {
    id: messageId('oracle.priced.v1', bank.address, slot),
    type: 'oracle.priced.v1',
    key: bank.address,
    slot,
    time: toTime(reading.unixTimestamp),
    source,
    payload: {
      bank: bank.address,
      oracle: priceFeedOf(bank),
      setup: bank.oracle.setup,
      priceUsd: priced?.priceUsd ?? null,
      priceLowUsd: priced?.lowUsd ?? null,
      priceHighUsd: priced?.highUsd ?? null,
      emaPriceUsd: priced?.emaPriceUsd ?? null,
      publishTime: priced?.publishTime == null ? null : toTime(priced.publishTime),
      reason: price.kind === 'unavailable' ? price.reason : null,
    },
  };
}
