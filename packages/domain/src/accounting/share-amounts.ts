import { divideI80F48, type I80F48, multiplyI80F48 } from '../i80f48.ts';

/** The two prices of a bank's shares, base units for one share. */
interface ShareValues {
  readonly assetShareValue: I80F48;
  readonly liabilityShareValue: I80F48;
}

/** Rounded down, as every product of the program. */
export function assetAmountOf(bank: ShareValues, shares: I80F48): I80F48 {
  return multiplyI80F48(shares, bank.assetShareValue);
}

/** Rounded down too: the debt shown is never above the debt that is owed in shares. */
export function liabilityAmountOf(bank: ShareValues, shares: I80F48): I80F48 {
  return multiplyI80F48(shares, bank.liabilityShareValue);
}

/** Cut off toward zero. A bank that lost everything gives no shares for a deposit. */
export function assetSharesFor(bank: ShareValues, amount: I80F48): I80F48 {
  return bank.assetShareValue === 0n ? 0n : divideI80F48(amount, bank.assetShareValue);
}

/** Cut off toward zero. */
export function liabilitySharesFor(bank: ShareValues, amount: I80F48): I80F48 {
  return divideI80F48(amount, bank.liabilityShareValue);
}
