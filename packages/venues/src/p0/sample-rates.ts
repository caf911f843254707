import {
  type BankShares,
  computeInterestRates,
  computeUtilization,
  floorI80F48,
  type I80F48,
  type InterestFees,
  totalAssetsOf,
  totalLiabilitiesOf,
} from '@lending/domain';
import type { P0Bank, P0Group } from './bank.ts';
import { accrueP0Bank } from './to-risk-balances.ts';

/**
 * Rates and sizes of a bank, projected to one moment. APRs, utilisation and share values are raw I80F48 fractions of
 * one, amounts base units. Null is unknown.
 */
export interface RateReading {
  readonly assetShareValue: I80F48;
  readonly liabilityShareValue: I80F48;
  readonly utilization: I80F48 | null;
  readonly baseApr: I80F48 | null;
  readonly depositApr: I80F48 | null;
  /** Everything a borrower pays, program fee included. */
  readonly borrowApr: I80F48 | null;
  /** The part of `borrowApr` that is the program's; null when the group's fees are not known. */
  readonly programFeeApr: I80F48 | null;
  /** Rounded down. */
  readonly totalAssetsBase: bigint | null;
  readonly totalLiabilitiesBase: bigint | null;
  /** What can leave the bank now: the lesser of what the vault holds and what is not lent. */
  readonly availableLiquidityBase: bigint | null;
}

/**
 * Reads a bank's rates as an accrual at `unixTimestamp` would leave them.
 *
 * `group` null means its fees are not known: then the bank stands as its last update left it, and `borrowApr` is unknown.
 * Banks on another venue hold its receipts, so all but their share values is unknown to this: the venue's adapter knows.
 */
export function sampleRates(
  bank: P0Bank,
  group: Pick<P0Group, 'programFee'> | null,
  unixTimestamp: bigint,
  vaultAmountBase: bigint | null,
): RateReading {
  if (bank.venue !== 'p0') return unknownReading(bank.shares);
  const programFee = group?.programFee ?? null;
  const fees: InterestFees = { ...bank.fees, program: programFee };
  const accrued = group === null ? null : accrueP0Bank(bank, programFee, unixTimestamp);
  const shares: BankShares = accrued ?? bank.shares;
  const totalAssets = totalAssetsOf(shares);
  const totalLiabilities = totalLiabilitiesOf(shares);
  const utilization = computeUtilization(totalAssets, totalLiabilities);
  const rates = utilization === null ? null : computeInterestRates(bank.curve, fees, utilization);
  return {
    assetShareValue: shares.assetShareValue,
    liabilityShareValue: shares.liabilityShareValue,
    utilization,
    baseApr: rates?.baseApr ?? null,
    depositApr: rates?.depositApr ?? null,
    borrowApr: group === null ? null : (rates?.borrowApr ?? null),
    programFeeApr: group === null ? null : (rates?.programFeeApr ?? null),
    totalAssetsBase: floorI80F48(totalAssets),
    totalLiabilitiesBase: floorI80F48(totalLiabilities),
    availableLiquidityBase:
      vaultAmountBase === null ? null : available(vaultAmountBase, totalAssets - totalLiabilities),
  };
}

function available(vaultAmountBase: bigint, unlent: I80F48): bigint {
  const unlentBase = unlent < 0n ? 0n : floorI80F48(unlent);
  return unlentBase < vaultAmountBase ? unlentBase : vaultAmountBase;
}

function unknownReading({ assetShareValue, liabilityShareValue }: BankShares): RateReading {
  return {
    assetShareValue,
    liabilityShareValue,
    utilization: null,
    baseApr: null,
    depositApr: null,
    borrowApr: null,
    programFeeApr: null,
    totalAssetsBase: null,
    totalLiabilitiesBase: null,
    availableLiquidityBase: null,
  };
}
