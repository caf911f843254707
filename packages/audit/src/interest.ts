import {
  accrueLedger,
  divideI80F48,
  I80F48_ONE,
  multiplyI80F48,
  skipHalts,
  smallerOf,
  totalAssetsOf,
  totalLiabilitiesOf,
} from '@lending/domain';
import type { P0Bank } from '@lending/venues';
import type { AuditedGroup } from './audit-bank.ts';
import type { Comparison } from './comparison.ts';
import { feesOf, haveSameRateTerms } from './rate-terms.ts';

const U32_MAX = 0xffff_ffffn;
const ACCRUED_FOR = 'cache.interestAccumulatedFor';

/**
 * What an accrual between two states of a bank made of its share values, exactly. Compared only where the accrual began at the first
 * state: the program writes down for how many seconds it was, and a state that was missed in between would have made them fewer.
 * @see marginfi-v2 programs/marginfi/src/state/bank.rs `accrue_interest`
 */
export function compareInterest(
  before: P0Bank,
  after: P0Bank,
  group: Pick<AuditedGroup, 'programFee'>,
): readonly Comparison[] {
  const { shares, feesOutstanding, breaker } = before;
  const { lastUpdate: until } = after.shares;
  const hasLent = totalAssetsOf(shares) !== 0n && totalLiabilitiesOf(shares) !== 0n;
  if (until <= shares.lastUpdate || !hasLent || !haveSameRateTerms(before, after)) return [];
  const from = breaker === null ? shares.lastUpdate : skipHalts(breaker.state, shares.lastUpdate, until);
  const seconds = smallerOf(until - from, U32_MAX);
  const compared = comparer(after);
  const { accruedSeconds, accruedToDepositors } = after.interestCache;
  if (accruedSeconds !== seconds) {
    // Fewer: something came in between. More cannot be, of an accrual that happened: then its halts were others than ours.
    const isImpossible = accruedSeconds > seconds && after.shares.liabilityShareValue !== shares.liabilityShareValue;
    return isImpossible ? [compared(ACCRUED_FOR, seconds, accruedSeconds)] : [];
  }
  const ledger = {
    ...shares,
    lastUpdate: from,
    collectedInsuranceFeesOutstanding: feesOutstanding.insurance,
    collectedGroupFeesOutstanding: feesOutstanding.group,
    collectedProgramFeesOutstanding: feesOutstanding.program,
  };
  const accrued = accrueLedger(ledger, before.curve, feesOf(before, group), until);
  if (accrued.kind === 'refused' || accrued.interest === null) return [];
  const { bank, interest } = accrued;
  const toDepositors = compared('cache.accumulatedSinceLastUpdate', interest.toDepositors, accruedToDepositors);
  const isValueOfAccrual =
    interest.toDepositors !== accruedToDepositors || !wasMovedOtherwise(before, after, bank.assetShareValue);
  return [
    compared('liabilityShareValue', bank.liabilityShareValue, after.shares.liabilityShareValue),
    toDepositors,
    ...(isValueOfAccrual ? [compared('assetShareValue', bank.assetShareValue, after.shares.assetShareValue)] : []),
  ];
}

/**
 * Whether something else than interest moved the value of deposits. The cache has what interest gave them, so it is asked only where that
 * is ours. A bad debt takes from the deposits no more than was written off of the debts; tokens that were given to the depositors, or
 * taken by an administrator, are a whole number of base units, and no share changes with them. (Where there are more shares than 2^48, a
 * unit of the value is worth more than a base unit, and any change would be a whole number of them: nothing is compared.)
 * @see marginfi-v2 programs/marginfi/src/state/bank.rs `socialize_loss`, instructions/marginfi_group/configure_bank.rs
 * `lending_pool_emissions_deposit`, super_admin_deposit.rs, super_admin_withdraw.rs
 */
function wasMovedOtherwise({ shares: before }: P0Bank, { shares: after }: P0Bank, accruedValue: bigint): boolean {
  if (after.assetShareValue === accruedValue) return false;
  const writtenOff = multiplyI80F48(
    before.totalLiabilityShares - after.totalLiabilityShares,
    after.liabilityShareValue,
  );
  const fewerShares = smallerOf(before.totalAssetShares, after.totalAssetShares);
  const lost = multiplyI80F48(accruedValue - after.assetShareValue, fewerShares);
  // As far as a unit of the value goes: it is cut off where the loss is spread.
  const unit = I80F48_ONE + (fewerShares >> 48n);
  if (writtenOff > 0n) return lost > 0n && lost <= writtenOff + unit;
  if (writtenOff < 0n || before.totalAssetShares !== after.totalAssetShares) return false;
  const deposits = multiplyI80F48(after.totalAssetShares, accruedValue);
  const tokens = (multiplyI80F48(after.totalAssetShares, after.assetShareValue) - deposits + I80F48_ONE / 2n) >> 48n;
  const moved = divideI80F48(deposits + (tokens << 48n), after.totalAssetShares);
  return tokens !== 0n && moved === after.assetShareValue;
}

function comparer({ address }: P0Bank) {
  return (field: string, ours: bigint, theirs: bigint): Comparison => ({
    figure: 'interest',
    field,
    banks: [address],
    account: null,
    ours,
    theirs,
    bound: 0n,
  });
}
