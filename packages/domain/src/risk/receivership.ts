import {
  addI80F48,
  divideI80F48,
  type I80F48,
  I80F48_ONE,
  integerToI80F48,
  multiplyI80F48,
  parseI80F48,
} from '../i80f48.ts';
import { largerOf, smallerOf } from '../integers.ts';
import type { HealthTotals } from './health-status.ts';

/** What decides the premium of a liquidator who holds an account: seized above repaid, at equity values. From 0.1.12. */
export interface ReceivershipTerms {
  /** `liquidation_max_fee` of the program's fee state, as a fraction. */
  readonly maxFee: I80F48;
  /** When the account was tagged as one to be liquidated, unix seconds; 0 where it was not. */
  readonly taggedAt: bigint;
  /** Unix seconds. */
  readonly now: bigint;
  /** Whether emode raises the maintenance weight of all its collateral. */
  readonly isRaisedByEmode: boolean;
  /** At equity, before the liquidation. */
  readonly equity: HealthTotals;
}

/** What an account is worth, USD: at maintenance weights and at equity. */
export interface ReceivershipTotals {
  readonly maintenance: HealthTotals;
  readonly equity: HealthTotals;
}

/** A liquidator may always keep this much, whatever the fee state says. */
const LEAST_PREMIUM = parseI80F48('0.05');
/** The premium begins to grow so many seconds after the tag, and is 100 % after a week. */
const DELAY_SECONDS = 3_600n;
const WEEK_SECONDS = 604_800n;

/**
 * The most that a liquidator in receivership may take above what it repays, as a fraction of that. It grows once an account is tagged,
 * unless emode raises all of its collateral or it owes more than it has: then others than its owner would bear it. Not the premium of a
 * debt (`accounting/premium.ts`).
 * @see marginfi-v2 programs/marginfi/src/state/liquidation_record.rs `tag_adjusted_premium`
 */
export function receivershipPremium({ maxFee, taggedAt, now, isRaisedByEmode, equity }: ReceivershipTerms): I80F48 {
  const base = largerOf(maxFee, LEAST_PREMIUM);
  const seconds = now - taggedAt;
  const isFixed = taggedAt === 0n || isRaisedByEmode || equity.liabilities > equity.assets;
  if (isFixed || base >= I80F48_ONE || seconds <= DELAY_SECONDS) return base;
  const grown = smallerOf(seconds, WEEK_SECONDS) - DELAY_SECONDS;
  const progress = divideI80F48(integerToI80F48(grown), integerToI80F48(WEEK_SECONDS - DELAY_SECONDS));
  return addI80F48(base, multiplyI80F48(I80F48_ONE - base, progress));
}

/**
 * Why a liquidation in receivership is refused for what was taken and repaid; null where both tests pass. Health may fall by what the
 * liquidator took above what it repaid, and no account that could pay its debts may be left unable to. No source names the error of the
 * second: it is taken for that of the first. A deleverage is another matter: by it health never falls.
 * @see marginfi-v2 patch-note-drafts/patch-notes-0.1.12.md, "the new receivership health check"
 */
export function findReceivershipRefusal(
  before: ReceivershipTotals,
  after: ReceivershipTotals,
  premium: I80F48,
): 'WorseHealthPostLiquidation' | 'LiquidationPremiumTooHigh' | null {
  const seized = before.equity.assets - after.equity.assets;
  const repaid = before.equity.liabilities - after.equity.liabilities;
  const fall = healthOf(before.maintenance) - healthOf(after.maintenance);
  const isRuined = healthOf(before.equity) >= 0n && healthOf(after.equity) < 0n;
  if (fall > seized - repaid || isRuined) return 'WorseHealthPostLiquidation';
  return takesTooMuch(before, after, premium) ? 'LiquidationPremiumTooHigh' : null;
}

/** Whether a liquidator took more than it repaid and the premium on that, at equity values. */
export function takesTooMuch(before: ReceivershipTotals, after: ReceivershipTotals, premium: I80F48): boolean {
  const seized = before.equity.assets - after.equity.assets;
  const repaid = before.equity.liabilities - after.equity.liabilities;
  return seized > multiplyI80F48(repaid, I80F48_ONE + premium);
}

function healthOf({ assets, liabilities }: HealthTotals): I80F48 {
  return assets - liabilities;
}
