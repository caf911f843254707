import type { RateSampled } from '@lending/events';
import type { ReserveReading } from '@lending/venues';
import type { NativeRate } from '#native-rate.ts';
import { decimalOrNull, integerOrNull, toNativeFields } from './sample-fields.ts';

/** How old a reserve's own price may be to be one of the moment, seconds. Venues refresh it when somebody acts on the reserve. */
const MAX_PRICE_AGE = 300n;

/** The sample of a venue's reserve. Nobody earns what a suspended venue's curve says, so its rates are not known. */
export function toReserveSample(reserve: ReserveReading, unixTimestamp: bigint, native: NativeRate): RateSampled {
  const { keys, sizes } = reserve;
  const rates = ratesOf(reserve);
  return {
    bank: keys.address,
    kind: 'reserve',
    venue: keys.venue,
    ...rates,
    ...toNativeFields(native),
    totalAssetsBase: integerOrNull(sizes.depositsBase),
    totalLiabilitiesBase: integerOrNull(sizes.borrowsBase),
    availableLiquidityBase: integerOrNull(sizes.availableBase),
    assetShareValue: '1',
    liabilityShareValue: '1',
    exchangeRate: decimalOrNull(reserve.exchangeRateE18),
    priceUsd: freshPrice(reserve, unixTimestamp),
  };
}

type ReserveRateFields = Pick<
  RateSampled,
  'depositApr' | 'borrowApr' | 'emissionsDepositApr' | 'emissionsBorrowApr' | 'utilization' | 'slotMs'
>;

/** What a reserve pays and takes; its depositors at P0 are paid the same. */
export function ratesOf({ status, rates }: ReserveReading): ReserveRateFields {
  const isNobodys = status === 'suspended';
  return {
    depositApr: isNobodys ? null : decimalOrNull(rates.depositApr),
    borrowApr: isNobodys ? null : decimalOrNull(rates.borrowApr),
    // What is paid into the pool reaches whoever holds its receipts. Farms are not: those pay who stakes there.
    emissionsDepositApr: isNobodys ? null : decimalOrNull(rates.poolRewardApr),
    emissionsBorrowApr: null,
    utilization: decimalOrNull(rates.utilization),
    slotMs: rates.slotMicros === null ? null : decimalOrNull(rates.slotMicros * 10n ** 15n),
  };
}

/** A price without a time may be of any age, so it is none of this moment. Zero is a price that was never set. */
function freshPrice({ price }: ReserveReading, unixTimestamp: bigint): string | null {
  if (price === null || price.publishedAt === null || price.usdE18 === 0n) return null;
  return unixTimestamp - price.publishedAt > MAX_PRICE_AGE ? null : decimalOrNull(price.usdE18);
}
