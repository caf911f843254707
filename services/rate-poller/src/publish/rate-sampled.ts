import { formatI80F48, type I80F48 } from '@lending/domain';
import { createMessage, type Message, type MessageSource } from '@lending/events';
import type { BankReading } from '#read-banks.ts';

/** The message of one sample. A stale price is no price of this moment, so the sample then has none. */
export function toRateSampled(reading: BankReading, source: MessageSource): Message<'rate.sampled.v1'> {
  const { bank, slot, unixTimestamp, rates, price } = reading;
  const payload = {
    bank: bank.address,
    venue: bank.venue,
    depositApr: decimal(rates.depositApr),
    borrowApr: decimal(rates.borrowApr),
    utilization: decimal(rates.utilization),
    totalAssetsBase: rates.totalAssetsBase?.toString() ?? null,
    totalLiabilitiesBase: rates.totalLiabilitiesBase?.toString() ?? null,
    availableLiquidityBase: rates.availableLiquidityBase?.toString() ?? null,
    assetShareValue: formatI80F48(rates.assetShareValue),
    liabilityShareValue: formatI80F48(rates.liabilityShareValue),
    priceUsd: price.kind === 'priced' && !price.isStale ? price.priceUsd : null,
  };
  return createMessage({ topic: 'rate.sampled.v1', key: bank.address, slot, unixTimestamp, source, payload });
}

function decimal(value: I80F48 | null): string | null {
  return value === null ? null : formatI80F48(value);
}
