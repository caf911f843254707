import {
  balanceDecimals,
  floorI80F48,
  formatI80F48,
  smallerOf,
  tokensOfReceipts,
  totalAssetsOf,
} from '@lending/domain';
import type { RateSampled } from '@lending/events';
import type { P0Bank, ReserveReading } from '@lending/venues';
import type { IntegrationBankReading } from '#read-reserves.ts';
import { ratesOf } from './reserve-sample.ts';
import { decimalOrNull, freshPriceOf, integerOrNull, toNativeFields } from './sample-fields.ts';

const UNKNOWN_RATES: ReturnType<typeof ratesOf> = {
  depositApr: null,
  borrowApr: null,
  emissionsDepositApr: null,
  emissionsBorrowApr: null,
  utilization: null,
  slotMs: null,
};

/**
 * The sample of a bank whose tokens earn at a venue: it pays what its reserve pays, holds what its receipts are worth, and lends
 * nothing itself. Its amounts are of the token, not of the receipts that its shares count.
 */
export function toIntegrationBankSample({
  bank,
  price,
  reserve,
  native,
}: Pick<IntegrationBankReading, 'bank' | 'price' | 'reserve' | 'native'>): RateSampled {
  const held = tokensHeld(bank, reserve?.exchangeRateE18 ?? null);
  return {
    bank: bank.address,
    kind: 'bank',
    venue: bank.venue,
    ...(reserve === null ? UNKNOWN_RATES : ratesOf(reserve)),
    borrowApr: null,
    ...toNativeFields(native),
    totalAssetsBase: integerOrNull(held),
    totalLiabilitiesBase: '0',
    availableLiquidityBase: integerOrNull(availableOf(held, reserve)),
    assetShareValue: formatI80F48(bank.shares.assetShareValue),
    liabilityShareValue: formatI80F48(bank.shares.liabilityShareValue),
    exchangeRate: decimalOrNull(reserve?.exchangeRateE18 ?? null),
    priceUsd: freshPriceOf(price),
  };
}

/** Base units of the mint, rounded down; null where it is not known what a receipt is worth. */
function tokensHeld({ shares, assetTag, decimals }: P0Bank, exchangeRateE18: bigint | null): bigint | null {
  const receipts = floorI80F48(totalAssetsOf(shares));
  if (receipts === 0n) return 0n;
  if (exchangeRateE18 === null) return null;
  // Drift's receipts have nine decimals whatever the mint has.
  const inMintDecimals = tokensOfReceipts(receipts * 10n ** BigInt(decimals), exchangeRateE18);
  return inMintDecimals / 10n ** BigInt(balanceDecimals(assetTag, decimals));
}

/** What could leave the bank now: what it holds, as far as the reserve pays out. */
function availableOf(held: bigint | null, reserve: ReserveReading | null): bigint | null {
  if (held === null || reserve === null) return null;
  return smallerOf(held, smallerOf(reserve.limits.withdrawRoomBase, reserve.sizes.availableBase));
}
