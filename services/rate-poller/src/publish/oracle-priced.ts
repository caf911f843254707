import { createMessage, type Message, type MessageSource, toTime } from '@lending/events';
import { priceFeedOf } from '@lending/venues';
import type { BankReading } from '#read-banks.ts';

/** A bank with its price as of one slot. */
type PricedBank = Pick<BankReading, 'bank' | 'slot' | 'unixTimestamp' | 'price'>;

/** The message of what a bank's oracle said, or why it says nothing. A stale price is passed on with its time. */
export function toOraclePriced(reading: PricedBank, source: MessageSource): Message<'oracle.priced.v1'> {
  const { bank, slot, unixTimestamp, price } = reading;
  const priced = price.kind === 'priced' ? price : null;
  const payload = {
    bank: bank.address,
    oracle: priceFeedOf(bank),
    setup: bank.oracle.setup,
    priceUsd: priced?.priceUsd ?? null,
    priceLowUsd: priced?.lowUsd ?? null,
    priceHighUsd: priced?.highUsd ?? null,
    emaPriceUsd: priced?.emaPriceUsd ?? null,
    publishTime: priced?.publishTime == null ? null : toTime(priced.publishTime),
    reason: price.kind === 'unavailable' ? price.reason : null,
  };
  return createMessage({ topic: 'oracle.priced.v1', key: bank.address, slot, unixTimestamp, source, payload });
}
