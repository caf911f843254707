import { formatI80F48, type I80F48 } from '@lending/domain';
import type { RateSampled } from '@lending/events';
import type { BankReading } from '#read-banks.ts';
import { freshPriceOf, integerOrNull, toNativeFields } from './sample-fields.ts';

/** The sample of one of P0's own banks. */
export function toBankSample({ bank, rates, price, native }: BankReading): RateSampled {
  return {
    bank: bank.address,
    kind: 'bank',
    venue: bank.venue,
    depositApr: fixedPoint(rates.depositApr),
    borrowApr: fixedPoint(rates.borrowApr),
    ...toNativeFields(native),
    emissionsDepositApr: null,
    emissionsBorrowApr: null,
    utilization: fixedPoint(rates.utilization),
    totalAssetsBase: integerOrNull(rates.totalAssetsBase),
    totalLiabilitiesBase: integerOrNull(rates.totalLiabilitiesBase),
    availableLiquidityBase: integerOrNull(rates.availableLiquidityBase),
    assetShareValue: formatI80F48(rates.assetShareValue),
    liabilityShareValue: formatI80F48(rates.liabilityShareValue),
    exchangeRate: null,
    slotMs: null,
    priceUsd: freshPriceOf(price),
  };
}

function fixedPoint(value: I80F48 | null): string | null {
  return value === null ? null : formatI80F48(value);
}
