import { computeMinimumBalance, DEFAULT_RENT } from '#ledger/chain-parameters.ts';

/** Lamports the genesis gives an account of this size: what the chain's default rent asks. */
export function rentExempt(dataLength: number): bigint {
  return computeMinimumBalance(DEFAULT_RENT, dataLength);
}
