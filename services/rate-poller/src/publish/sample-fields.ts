import { formatFraction } from '@lending/domain';
import type { RateSampled } from '@lending/events';
import type { PriceReading } from '@lending/venues';
import type { NativeRate } from '#native-rate.ts';

/** The token's own yield, as every sample of a bank or reserve of that token says it. */
export function toNativeFields(native: NativeRate): Pick<RateSampled, 'nativeApr' | 'nativeExchangeRate'> {
  return { nativeApr: decimalOrNull(native.apr), nativeExchangeRate: decimalOrNull(native.exchangeRate) };
}

/** USD for one token of the bank's mint, also where its balances count a venue's receipts. A stale price is none of this moment. */
export function freshPriceOf(price: PriceReading): string | null {
  return price.kind === 'priced' && !price.isStale ? price.priceUsd : null;
}

/** A value of 18 decimals as exact text. */
export function decimalOrNull(valueE18: bigint | null): string | null {
  return valueE18 === null ? null : formatFraction(valueE18);
}

export function integerOrNull(value: bigint | null): string | null {
  return value?.toString() ?? null;
}
