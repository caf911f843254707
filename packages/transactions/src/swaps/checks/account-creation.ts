import {
  ASSOCIATED_TOKEN_PROGRAM,
  findAssociatedTokenAccount,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '@lending/programs';
import type { Address, Instruction } from '@solana/kit';
import { createAssociatedAccount } from '#instructions/wallet/associated-account.ts';

/** A token account that a route makes for the taker. */
export interface AccountCreation {
  readonly account: Address;
  readonly mint: Address;
  /** Ours, not the one that was sent: it does the same and nothing else, and does not mind an account that is there. */
  readonly instruction: Instruction;
}

/** `Create`, written as nothing or 0, and `CreateIdempotent`; `RecoverNested` moves tokens. */
const LAST_CREATE = 1;

/** Reads an instruction that makes an associated token account of the taker's, at his cost; null where it is anything else. */
export async function readAccountCreation(
  { programAddress, accounts = [], data = new Uint8Array() }: Instruction,
  taker: Address,
): Promise<AccountCreation | null> {
  if (programAddress !== ASSOCIATED_TOKEN_PROGRAM || data.length > 1 || (data[0] ?? 0) > LAST_CREATE) return null;
  const [payer, account, owner, mint, , tokenProgram] = accounts.map(({ address }) => address as Address);
  if (payer !== taker || owner !== taker || account === undefined || mint === undefined) return null;
  if (tokenProgram !== TOKEN_PROGRAM && tokenProgram !== TOKEN_2022_PROGRAM) return null;
  const [derived] = await findAssociatedTokenAccount(taker, mint, tokenProgram);
  if (derived !== account) return null;
  return { account, mint, instruction: createAssociatedAccount(taker, account, { owner, mint, tokenProgram }) };
}
