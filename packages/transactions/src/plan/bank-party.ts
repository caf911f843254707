import type { BankParty } from '#instructions/venue-instructions.ts';
import type { ActionState, LiveBank, WalletTokens } from '#live/action-state.ts';

/** The wallet, its lending account and its token account, as they act on a bank. */
export function partyOf(
  { program, version, authority, account }: Pick<ActionState, 'program' | 'version' | 'authority' | 'account'>,
  { bank, mint }: LiveBank,
  tokens: WalletTokens,
): BankParty {
  const { tokenProgram } = mint;
  return { program, version, authority, account: account.address, bank, tokenAccount: tokens.address, tokenProgram };
}
