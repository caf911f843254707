import { BANK_FLAG, computeCachedRates, EMPTY_BALANCE_SHARES } from '@lending/domain';
import type { P0Bank } from '@lending/venues';
import type { AuditedGroup, Comparison } from './comparison.ts';
import { feesOf, haveSameRateTerms } from './rate-terms.ts';

const FIELDS = ['baseRate', 'lendingRate', 'borrowingRate'] as const;
/** In place of rates where ours are none: no rate is below 0. */
const REFUSED = { baseRate: -1, lendingRate: -1, borrowingRate: -1 };
const EMPTIED = { baseRate: 0, lendingRate: 0, borrowingRate: 0 };

/**
 * The rates in a bank's cache against those of the totals beside them, exactly: an instruction that changes totals computes the one
 * from the other before it ends.
 * @see marginfi-v2 programs/marginfi/src/state/bank.rs `update_bank_cache`
 */
export function compareRates(
  before: P0Bank | null,
  after: P0Bank,
  group: Pick<AuditedGroup, 'programFee'>,
): readonly Comparison[] {
  const isOfTheseTotals = before === null ? isSurelyCurrent(after) : wasWritten(before, after);
  if (!isOfTheseTotals) return [];
  const computed = computeCachedRates(after.shares, after.curve, feesOf(after, group));
  // A cache at rest may be of an older program, which took other curves; what was just written was not refused.
  if (computed.kind === 'refused' && before === null) return [];
  const rates = computed.kind === 'refused' ? REFUSED : (computed.rates ?? EMPTIED);
  return FIELDS.map((field) => ({
    figure: 'rates',
    field: `cache.${field}`,
    banks: [after.address],
    account: null,
    ours: BigInt(rates[field]),
    theirs: BigInt(after.interestCache[field]),
    bound: 0n,
  }));
}

/**
 * Whether the rates of a bank that is seen for the first time are of its totals. They are not while prices are locked, and may not be where
 * they ever were: what a liquidator does meanwhile leaves the rates, and the end of it unlocks the prices and leaves them too. A cache
 * with nothing in it says nothing: it was never written, or emptied as it would be again.
 */
function isSurelyCurrent({ interestCache }: P0Bank): boolean {
  return !hasLockedPrices(interestCache) && !interestCache.isLocked && !isEmptied(interestCache);
}

/** Whether an instruction between two states wrote the rates of the second, and after it last changed the totals. */
function wasWritten(before: P0Bank, after: P0Bank): boolean {
  const [was, is] = [before.interestCache, after.interestCache];
  if (was.isLocked || is.isLocked || was.lockedPrices.some((price, index) => price !== is.lockedPrices[index])) {
    return false;
  }
  if (!haveSameRateTerms(before, after)) return false;
  if (FIELDS.some((field) => was[field] !== is[field])) return true;
  // The same rates over other shares are compared, unless something leaves rates as they are: a liquidation that locked no other prices
  // than the last one, or none, as of isolated collateral and dust; or balances that are cleared out of a bank that is wound up. Share
  // values alone change under settings of an administrator too, without new rates.
  const isWoundUp = (after.flags & BANK_FLAG.tokenlessRepaymentsComplete) !== 0n;
  const canBeLocked = hasLockedPrices(is) || after.riskTier === 'Isolated';
  return hasMoved(before, after) && !isWoundUp && !canBeLocked && !(isEmptied(is) && hasNothingLent(after));
}

function hasMoved({ shares: was }: P0Bank, { shares: is }: P0Bank): boolean {
  const moves = [is.totalAssetShares - was.totalAssetShares, is.totalLiabilityShares - was.totalLiabilityShares];
  return moves.some((move) => move >= EMPTY_BALANCE_SHARES || move <= -EMPTY_BALANCE_SHARES);
}

function hasLockedPrices({ lockedPrices }: P0Bank['interestCache']): boolean {
  return lockedPrices.some((price) => price !== 0n);
}

function isEmptied(cache: P0Bank['interestCache']): boolean {
  return FIELDS.every((field) => cache[field] === 0) && cache.accruedSeconds === 0n;
}

function hasNothingLent({ shares }: P0Bank): boolean {
  return shares.totalAssetShares === 0n || shares.totalLiabilityShares === 0n;
}
