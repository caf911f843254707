import { accrueLedger, skipHalts, smallerOf, totalAssetsOf, totalLiabilitiesOf } from '@lending/domain';
import type { P0Bank } from '@lending/venues';
import type { AuditedGroup, Comparison } from './comparison.ts';
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
  const isMoved = wasMovedOtherwise(before, after, bank.assetShareValue);
  return [
    compared('liabilityShareValue', bank.liabilityShareValue, after.shares.liabilityShareValue),
    toDepositors,
    ...(isMoved ? [] : [compared('assetShareValue', bank.assetShareValue, after.shares.assetShareValue)]),
  ];
}

/**
 * Whether something else than interest may have moved the value of deposits: tokens that anybody gave to the depositors raise it, and a bad
 * debt lowers it and writes off debts. What interest gave them the cache says apart, exactly.
 * @see marginfi-v2 programs/marginfi/src/state/bank.rs `socialize_loss`, instructions/marginfi_group/configure_bank.rs
 * `lending_pool_emissions_deposit`
 */
function wasMovedOtherwise({ shares: before }: P0Bank, { shares: after }: P0Bank, accruedValue: bigint): boolean {
  if (after.assetShareValue > accruedValue) return true;
  return after.assetShareValue < accruedValue && before.totalLiabilityShares !== after.totalLiabilityShares;
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
