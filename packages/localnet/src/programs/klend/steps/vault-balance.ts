import type { InvokeContext } from '#engine/program.ts';
import type { NamedAccount } from '#programs/anchor/account-reader.ts';
import { amountOf } from '../../token/token-state.ts';
import { check, panic } from '../klend-error.ts';
import type { ReserveLoader } from '../state/kinds.ts';

/**
 * Tokens in a reserve's vault beyond those the reserve counts. Taken before and after a transfer it must be the same.
 * @throws InstructionError where the vault holds less: the program stops.
 */
export function uncountedTokens(context: InvokeContext, reserve: ReserveLoader, vault: NamedAccount): bigint {
  const extra = amountOf(vault.account.data) - reserve.load().read().liquidity.totalAvailableAmount;
  return extra >= 0n ? extra : panic(context, 'the vault holds less than the reserve counts');
}

/** @throws AnchorError ReserveTokenBalanceMismatch, where a token program kept something back */
export function assertSameUncounted(before: bigint, after: bigint): void {
  check(before === after, 'ReserveTokenBalanceMismatch');
}
