import { INSTRUCTIONS_SYSVAR, lendingAccountEndFlashloan, lendingAccountStartFlashloan } from '@lending/programs';
import type { Address, Instruction } from '@solana/kit';
import { instructionsOf } from './instructions-of.ts';

/** Who takes a flash loan: his account's health is judged once, at the end. */
export interface FlashLoanParty {
  readonly program: Address;
  readonly authority: Address;
  /** The lending account. */
  readonly account: Address;
}

/**
 * Lifts the account's health checks and rate limits until the end. Where in the transaction the end stands is written in when the message is
 * put together, @see link-flash-loan.ts
 */
export function startFlashLoan({ program, authority, account }: FlashLoanParty): Instruction {
  const accounts = { marginfiAccount: account, authority, ixsSysvar: INSTRUCTIONS_SYSVAR };
  return instructionsOf(program)(lendingAccountStartFlashloan, accounts, { endIndex: 0n });
}

/** @param health the health list of the balances that are active by then. */
export function endFlashLoan({ program, authority, account }: FlashLoanParty, health: readonly Address[]): Instruction {
  return instructionsOf(program)(lendingAccountEndFlashloan, { marginfiAccount: account, authority }, {}, health);
}
