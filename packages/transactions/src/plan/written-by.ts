import { type Address, type Instruction, isWritableRole } from '@solana/kit';
import type { ActionState } from '#live/action-state.ts';

/** All that may be different afterwards: what the instructions write, the lending account and the wallet. */
export function writtenBy(
  { account, authority }: Pick<ActionState, 'account' | 'authority'>,
  instructions: readonly Instruction[],
): readonly Address[] {
  const written = instructions.flatMap(({ accounts = [] }) =>
    accounts.filter(({ role }) => isWritableRole(role)).map(({ address }) => address as Address),
  );
  return [...new Set([account.address, authority, ...written])];
}
