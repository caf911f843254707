import { divideI80F48, type I80F48, multiplyI80F48 } from '../i80f48.ts';
import type { BankLedger } from './bank-ledger.ts';

/**
 * Spreads a loss over the depositors: the same shares are worth less. A loss of everything kills the bank.
 * @throws DECODE__VALUE_OUT_OF_RANGE where the program fails with a maths error.
 * @see marginfi-v2 programs/marginfi/src/state/bank.rs `socialize_loss`
 */
export function socializeLoss<Bank extends Pick<BankLedger, 'assetShareValue' | 'totalAssetShares'>>(
  bank: Bank,
  loss: I80F48,
): { readonly bank: Bank; readonly isKilled: boolean } {
  const deposited = multiplyI80F48(bank.totalAssetShares, bank.assetShareValue);
  const assetShareValue = deposited <= loss ? 0n : divideI80F48(deposited - loss, bank.totalAssetShares);
  return { bank: { ...bank, assetShareValue }, isKilled: assetShareValue === 0n };
}
