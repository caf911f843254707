import {
  lendingAccountBorrow,
  lendingAccountDeposit,
  lendingAccountPulseHealth,
  lendingAccountRepay,
  lendingAccountWithdraw,
  TOKEN_2022_PROGRAM,
} from '@lending/programs';
import type { Address, Instruction } from '@solana/kit';
import type { ActionAmount } from '#action.ts';
import { vaultAuthorityOf } from './derived-addresses.ts';
import { instructionsOf } from './instructions-of.ts';
import type { BankParty, VenueInstructions } from './venue-instructions.ts';

/** P0's own banks accrue when they are acted on: nothing is to be read or refreshed. */
export const p0Instructions: VenueInstructions = {
  accountsToAct: async () => [],
  accountsToRefresh: async () => [],
  refresh: async () => [],
  refreshToAct: async () => [],
  missingAccounts: async () => [],
  deposit: async (party, amount) =>
    instructionsOf(party)(
      lendingAccountDeposit,
      { ...accountsOf(party), signerTokenAccount: party.tokenAccount },
      { amount, depositUpToLimit: null },
      mintOf(party),
    ),
  unitsToWithdraw: (_, { amount }) => amount,
  withdraw: async (party, amount, health) =>
    instructionsOf(party)(
      lendingAccountWithdraw,
      await payoutAccountsOf(party),
      amount === 'all' ? { amount: 0n, withdrawAll: true } : { amount, withdrawAll: null },
      [...mintOf(party), ...health],
    ),
};

/** Banks of other venues cannot be borrowed from. @param health the list as it stands after the loan, this bank in it. */
export async function borrow(party: BankParty, amount: bigint, health: readonly Address[]): Promise<Instruction> {
  const accounts = await payoutAccountsOf(party);
  return instructionsOf(party)(lendingAccountBorrow, accounts, { amount }, [...mintOf(party), ...health]);
}

/** @param amount what is taken off the debt; all of it is counted when the instruction runs, and frees the slot. */
export function repay(party: BankParty, amount: ActionAmount): Instruction {
  return instructionsOf(party)(
    lendingAccountRepay,
    { ...accountsOf(party), signerTokenAccount: party.tokenAccount },
    amount === 'all' ? { amount: 0n, repayAll: true } : { amount, repayAll: null },
    mintOf(party),
  );
}

/** Values the account, for any signer, and sets the premiums of its debts by what it holds. @param health the list of all its balances. */
export function pulseHealth(party: BankParty, health: readonly Address[]): Instruction {
  const { account, bank } = party;
  return instructionsOf(party)(lendingAccountPulseHealth, { marginfiAccount: account, group: bank.group }, {}, health);
}

async function payoutAccountsOf(party: BankParty) {
  return {
    ...accountsOf(party),
    destinationTokenAccount: party.tokenAccount,
    bankLiquidityVaultAuthority: await vaultAuthorityOf(party.bank.address, party.program),
  };
}

function accountsOf({ authority, account, bank, tokenProgram }: BankParty) {
  return {
    group: bank.group,
    marginfiAccount: account,
    authority,
    bank: bank.address,
    liquidityVault: bank.liquidityVault,
    tokenProgram,
  };
}

/** A Token-2022 mint goes before the health list. */
function mintOf({ bank, tokenProgram }: BankParty): readonly Address[] {
  return tokenProgram === TOKEN_2022_PROGRAM ? [bank.mint] : [];
}
