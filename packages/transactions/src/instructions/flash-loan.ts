import { INSTRUCTIONS_SYSVAR, lendingAccountEndFlashloan, lendingAccountStartFlashloan } from '@lending/programs';
import type { Address, Instruction } from '@solana/kit';
import { instructionsOf } from './instructions-of.ts';
import type { BankParty } from './venue-instructions.ts';

/** Who takes a flash loan: his account's health is judged once, at the end. */
type FlashLoanParty = Omit<BankParty, 'tokenAccount' | 'tokenProgram'>;

/**
 * Lifts the account's health checks and rate limits until the end. Where in the transaction the end stands is written in when the message is
 * put together, @see link-flash-loan.ts
 */
export function startFlashLoan(party: FlashLoanParty): Instruction {
  const { account, authority } = party;
  const accounts = { marginfiAccount: account, authority, ixsSysvar: INSTRUCTIONS_SYSVAR };
  return instructionsOf(party)(lendingAccountStartFlashloan, accounts, { endIndex: 0n });
}

/** @param health the health list of the balances that are active by then. */
export function endFlashLoan(party: FlashLoanParty, health: readonly Address[]): Instruction {
  const { account, authority, bank } = party;
  const accounts = { marginfiAccount: account, group: bank.group, authority };
  return instructionsOf(party)(lendingAccountEndFlashloan, accounts, {}, health);
}
