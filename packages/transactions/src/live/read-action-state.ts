import type { ReadOptions } from '@lending/chain';
import type { ActionState } from './action-state.ts';
import type { BankCache } from './bank-cache.ts';
import type { AccountFetcher } from './fetch-until-closed.ts';
import type { ReadQuestion } from './read-question.ts';
import { readState } from './read-state.ts';

/**
 * Everything that one action takes, at one bank or none.
 * @throws what reading throws, @see read-state.ts
 */
export async function readActionState(
  chain: AccountFetcher,
  cache: BankCache,
  question: ReadQuestion,
  options: Pick<ReadOptions, 'signal'> = {},
): Promise<ActionState> {
  const { targets, ...shared } = await readState(chain, cache, question, options);
  const [target = null] = targets;
  return { ...shared, target: target?.live ?? null, walletTokens: target?.tokens ?? null };
}
