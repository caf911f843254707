import {
  JUPLEND_LENDING_PROGRAM,
  juplendEarnDeposit,
  juplendEarnUpdateRate,
  juplendEarnWithdraw,
} from '@lending/programs';
import type { InvokeContext } from '#engine/program.ts';
import type { Loader, NamedAccount } from '#programs/anchor/account-reader.ts';
import { type Borrowed, callProgram } from '#programs/anchor/call-program.ts';
import type { BankState } from '../state/bank-state.ts';
import type { JuplendPool, JuplendVenue } from './juplend-accounts.ts';
import { bankSigner } from './user-transfer.ts';

type Called = JuplendPool &
  JuplendVenue & {
    readonly bank: Loader<BankState>;
    readonly liquidityVaultAuthority: NamedAccount;
  };

/** Brings the pool's exchange prices up to now. */
export function updateJuplendRate(context: InvokeContext, accounts: Called): void {
  callProgram(context, juplendEarnUpdateRate, {
    programId: JUPLEND_LENDING_PROGRAM,
    accounts: { ...accounts, lending: accounts.integrationAcc1 },
    args: {},
  });
}

/** Tokens of the bank's vault become fTokens in its fToken vault. */
export function depositToJuplend(
  context: InvokeContext,
  accounts: Called & { readonly liquidityVault: NamedAccount },
  assets: bigint,
): void {
  callProgram(context, juplendEarnDeposit, {
    programId: JUPLEND_LENDING_PROGRAM,
    accounts: {
      ...accounts,
      signer: accounts.liquidityVaultAuthority,
      depositorTokenAccount: accounts.liquidityVault,
      recipientTokenAccount: accounts.integrationAcc2,
      lending: accounts.integrationAcc1,
    },
    args: { assets },
    signers: [bankSigner(accounts.bank)],
  });
}

/** fTokens of the bank become tokens in the account that the venue pays out to. */
export function withdrawFromJuplend(
  context: InvokeContext,
  accounts: Called & { readonly claimAccount: NamedAccount; readonly integrationAcc3: NamedAccount },
  amount: bigint,
  borrowed: Borrowed,
): void {
  callProgram(context, juplendEarnWithdraw, {
    programId: JUPLEND_LENDING_PROGRAM,
    accounts: {
      ...accounts,
      signer: accounts.liquidityVaultAuthority,
      ownerTokenAccount: accounts.integrationAcc2,
      recipientTokenAccount: accounts.integrationAcc3,
      lending: accounts.integrationAcc1,
    },
    args: { amount },
    signers: [bankSigner(accounts.bank)],
    borrowed,
  });
}
