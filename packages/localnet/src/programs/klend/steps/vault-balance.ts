import type { InvokeContext } from '#engine/program.ts';
import type { NamedAccount } from '#programs/anchor/account-reader.ts';
import { amountOf } from '../../token/token-state.ts';
import { check, panic } from '../klend-error.ts';
import type { ReserveLoader } from '../state/kinds.ts';

/** Tokens in a reserve's vault beyond those the reserve counts; negative where it holds less. */
export function uncountedTokens(reserve: ReserveLoader, vault: NamedAccount): bigint {
  return amountOf(vault.account.data) - reserve.load().read().liquidity.totalAvailableAmount;
}

/**
 * Once all is moved the vault must hold as much beyond its reserve as before. Where it held less than the reserve counts, the program
 * stops.
 * @throws AnchorError ReserveTokenBalanceMismatch, where a token program kept something back
 */
export function assertSameUncounted(context: InvokeContext, before: bigint, after: bigint): void {
  if (before < 0n || after < 0n) panic(context, 'the vault holds less than the reserve counts');
  check(before === after, 'ReserveTokenBalanceMismatch');
}
