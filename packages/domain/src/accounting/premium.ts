import { addI80F48, divideI80F48, type I80F48, integerToI80F48, multiplyI80F48 } from '../i80f48.ts';
import { largerOf, smallerOf } from '../integers.ts';
import { rateFromU32 } from '../interest-curve.ts';
import { EMPTY_BALANCE_SHARES } from './thresholds.ts';

/**
 * The variable borrow premium, from 0.1.12: what a debt costs above the rate of its bank, by the collateral that stands behind it. It is
 * owed by the account, not by the bank's borrowers as a whole: simple interest on the debt, at a rate that stays as it is until an
 * instruction with the prices of all collateral sets it again.
 */
export interface DebtPremium {
  /** Yearly, encoded as `rateFromU32` reads it. */
  readonly rate: number;
  /** Claimed and not yet paid, base units. */
  readonly outstanding: I80F48;
  /** Unix seconds of the last claim; 0 for a balance that never had one, which accrues nothing. */
  readonly claimedAt: bigint;
}

/** What a bank has to do with premiums. */
export interface BankPremium {
  /** What pairs name it by, as collateral and as debt; 0 is none. */
  readonly tag: number;
  /** Whether its debts bear one. */
  readonly isActive: boolean;
  /** Unix seconds since when they do. */
  readonly activatedAt: bigint;
}

/** What a group charges on a debt of one tag for collateral of another; a pair that is missing costs nothing. */
export interface PremiumPair {
  readonly collateralTag: number;
  readonly liabilityTag: number;
  /** Encoded as `rateFromU32` reads it. */
  readonly rate: number;
}

/** Collateral that a debt's rate is weighted with. */
export interface PremiumWeight {
  readonly tag: number;
  /** USD without weights, at the lower price. */
  readonly usd: I80F48;
}

const U32_MAX = integerToI80F48(4_294_967_295n);
/** What `u32::MAX` encodes: 1,000 %. */
const LARGEST_RATE = integerToI80F48(10n);
const SECONDS_PER_YEAR = integerToI80F48(31_536_000n);
/** A bank or a collateral without a tag: no pair is ever its own. */
const NO_TAG = 0;

/**
 * The encoding of a yearly rate, cut to what it can hold; decoding can lose one unit.
 * @see marginfi-v2 type-crate/src/types/interest_rate.rs `milli_to_u32`
 */
export function encodePremiumRate(rate: I80F48): number {
  const part = divideI80F48(largerOf(smallerOf(rate, LARGEST_RATE), 0n), LARGEST_RATE);
  return Number(multiplyI80F48(part, U32_MAX) >> 48n);
}

/**
 * What a debt owes in premium at a moment, claimed and since, base units.
 * @param debt base units of the principal.
 * @param activatedAt unix seconds since when its bank charges a premium; nothing accrues before.
 * @throws DECODE__VALUE_OUT_OF_RANGE where the program fails with a maths error.
 * @see marginfi-v2 programs/marginfi/src/state/premium.rs `accrued_premium_total`
 */
export function accruePremium(
  { rate, outstanding, claimedAt }: DebtPremium,
  debt: I80F48,
  activatedAt: bigint,
  now: bigint,
): I80F48 {
  const seconds = claimedAt === 0n ? 0n : largerOf(now - largerOf(claimedAt, activatedAt), 0n);
  if (rate === 0 || seconds === 0n || debt <= 0n) return outstanding;
  // Years first: with the debt multiplied by seconds a large one would not fit.
  const years = divideI80F48(integerToI80F48(seconds), SECONDS_PER_YEAR);
  return addI80F48(outstanding, multiplyI80F48(multiplyI80F48(debt, rateFromU32(rate)), years));
}

/**
 * What a balance owes in premium at a moment, base units: nothing where it is no debt, or its bank charges none, whatever it holds.
 * @throws DECODE__VALUE_OUT_OF_RANGE where the program fails with a maths error.
 */
export function premiumOwed(
  bank: { readonly premium: BankPremium; readonly shares: { readonly liabilityShareValue: I80F48 } },
  balance: { readonly liabilityShares: I80F48; readonly premium: DebtPremium },
  now: bigint,
): I80F48 {
  const { isActive, activatedAt } = bank.premium;
  if (!isActive || balance.liabilityShares < EMPTY_BALANCE_SHARES) return 0n;
  const debt = multiplyI80F48(balance.liabilityShares, bank.shares.liabilityShareValue);
  return accruePremium(balance.premium, debt, activatedAt, now);
}

/** The encoded rate of a pair of tags; 0 where the table has none. */
export function pairRateOf(pairs: readonly PremiumPair[], collateralTag: number, liabilityTag: number): number {
  if (collateralTag === NO_TAG || liabilityTag === NO_TAG) return 0;
  const pair = pairs.find((one) => one.collateralTag === collateralTag && one.liabilityTag === liabilityTag);
  return pair?.rate ?? 0;
}

/**
 * The encoded rate that a debt bears from now on: the rates of its pairs, weighted by what each collateral is worth. Collateral that
 * costs nothing counts in the weights all the same.
 * @see marginfi-v2 programs/marginfi/src/state/premium.rs `update_premium_snapshots`
 */
export function premiumRateFor(
  liabilityTag: number,
  collateral: readonly PremiumWeight[],
  pairs: readonly PremiumPair[],
): number {
  const totalUsd = collateral.reduce((sum, { usd }) => addI80F48(sum, usd), 0n);
  if (totalUsd <= 0n) return 0;
  const weighted = collateral.reduce((sum, { tag, usd }) => {
    const rate = usd > 0n ? pairRateOf(pairs, tag, liabilityTag) : 0;
    return rate === 0 ? sum : addI80F48(sum, multiplyI80F48(usd, rateFromU32(rate)));
  }, 0n);
  return encodePremiumRate(divideI80F48(weighted, totalUsd));
}

/** How a repayment is split: the premium is paid first. Base units. */
export function splitRepayment(
  outstanding: I80F48,
  amount: I80F48,
): { readonly premium: I80F48; readonly principal: I80F48 } {
  const premium = largerOf(smallerOf(outstanding, amount), 0n);
  return { premium, principal: amount - premium };
}
