import type { ReadOptions } from '@lending/chain';
import type { Address } from '@solana/kit';
import type { BankCache } from './bank-cache.ts';
import type { AccountFetcher } from './fetch-until-closed.ts';
import type { LeverageState } from './leverage-state.ts';
import type { ReadQuestion } from './read-question.ts';
import { readState } from './read-state.ts';

/** What is to be read for a loop or a close: the deposit bank, then the borrow bank. */
export interface LeverageQuestion extends ReadQuestion {
  readonly banks: readonly [deposit: Address, borrow: Address];
}

/**
 * Everything that a loop or a close takes.
 * @throws what reading throws, @see read-state.ts
 */
export async function readLeverageState(
  chain: AccountFetcher,
  cache: BankCache,
  question: LeverageQuestion,
  options: Pick<ReadOptions, 'signal'> = {},
): Promise<LeverageState> {
  const { targets, ...shared } = await readState(chain, cache, question, options);
  const [collateral, debt] = targets;
  if (collateral === undefined || debt === undefined) throw new TypeError('A pair of banks was asked for');
  return { ...shared, collateral, debt };
}
