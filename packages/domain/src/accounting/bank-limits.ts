import { balanceDecimals } from '../asset-tag.ts';
import { divideI80F48, floorI80F48, type I80F48, I80F48_ONE, integerToI80F48, multiplyI80F48 } from '../i80f48.ts';
import { U64_MAX } from '../integers.ts';
import { orMathError, refused } from '../refusal.ts';
import type { BankLedger } from './bank-ledger.ts';
import { assetAmountOf, liabilityAmountOf } from './share-amounts.ts';

/** The deposit limit in the units that deposits are counted in; null is off. On Drift's banks the mint's decimals become nine. */
function depositLimitOf(bank: BankLedger): I80F48 | null {
  if (bank.config.depositLimit === U64_MAX) return null;
  const limit = integerToI80F48(bank.config.depositLimit);
  const missing = balanceDecimals(bank.config.assetTag, bank.mintDecimals) - bank.mintDecimals;
  if (missing === 0) return limit;
  const scale = integerToI80F48(10n ** BigInt(Math.abs(missing)));
  return missing >= 0 ? multiplyI80F48(limit, scale) : divideI80F48(limit, scale);
}

/** Whether deposits of so many shares reach the limit: they must stay strictly below. */
export function reachesDepositLimit(bank: BankLedger, totalAssetShares: I80F48): boolean {
  const limit = depositLimitOf(bank);
  return limit !== null && assetAmountOf(bank, totalAssetShares) >= limit;
}

/** Whether debts of so many shares reach the limit: they must stay strictly below. */
export function reachesBorrowLimit(bank: BankLedger, totalLiabilityShares: I80F48): boolean {
  const limit = bank.config.borrowLimit;
  return limit !== U64_MAX && liabilityAmountOf(bank, totalLiabilityShares) >= integerToI80F48(limit);
}

/** Whether more is owed than deposited, which no withdrawal and no borrow may leave behind. */
export function isOverUtilized(bank: BankLedger): boolean {
  return assetAmountOf(bank, bank.totalAssetShares) < liabilityAmountOf(bank, bank.totalLiabilityShares);
}

/**
 * What `deposit_up_to_limit` lets through, in base units: a whole unit below the limit, though a little more would still be below.
 * @returns u64::MAX without a limit; null where the program fails with a maths error, as it does less than a unit below the limit: it
 * takes one unit from the rest and cannot hold what is left.
 */
export function remainingDepositCapacity(bank: BankLedger): bigint | null {
  const outcome = orMathError(() => {
    const limit = depositLimitOf(bank);
    if (limit === null) return U64_MAX;
    const deposited = assetAmountOf(bank, bank.totalAssetShares);
    if (deposited >= limit) return 0n;
    const remaining = floorI80F48(limit - deposited - I80F48_ONE);
    return remaining < 0n || remaining > U64_MAX ? refused('MathError') : remaining;
  });
  return typeof outcome === 'bigint' ? outcome : null;
}
