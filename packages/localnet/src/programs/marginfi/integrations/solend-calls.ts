import {
  depositSolendLiquidityAndCollateral,
  initSolendObligation,
  SOLEND_PROGRAM,
  withdrawSolendCollateralAndRedeem,
} from '@lending/programs';
import type { InvokeContext } from '#engine/program.ts';
import type { Loader, NamedAccount } from '#programs/anchor/account-reader.ts';
import { type Borrowed, callProgram } from '#programs/anchor/call-program.ts';
import type { BankState } from '../state/bank-state.ts';
import type { SolendAccounts, SolendOracles } from './solend-accounts.ts';
import { bankSigner } from './user-transfer.ts';

type Called = SolendAccounts & {
  readonly bank: Loader<BankState>;
  readonly liquidityVaultAuthority: NamedAccount;
  readonly liquidityVault: NamedAccount;
  readonly integrationAcc2: NamedAccount;
  readonly tokenProgram: NamedAccount;
};

/** Sets up the bank's obligation in an account of zeros. */
export function initObligation(context: InvokeContext, accounts: Called & { readonly rent: NamedAccount }): void {
  callProgram(context, initSolendObligation, {
    programId: SOLEND_PROGRAM,
    accounts: {
      obligation: accounts.integrationAcc2,
      lendingMarket: accounts.lendingMarket,
      obligationOwner: accounts.liquidityVaultAuthority,
      rent: accounts.rent,
      tokenProgram: accounts.tokenProgram,
    },
    args: {},
    signers: [bankSigner(accounts.bank)],
  });
}

/** Tokens of the bank's vault become receipts under its obligation. */
export function depositToSolend(
  context: InvokeContext,
  accounts: Called & SolendOracles,
  liquidityAmount: bigint,
): void {
  callProgram(context, depositSolendLiquidityAndCollateral, {
    programId: SOLEND_PROGRAM,
    accounts: {
      ...accounts,
      sourceLiquidity: accounts.liquidityVault,
      reserve: accounts.integrationAcc1,
      destinationCollateral: accounts.reserveCollateralSupply,
      obligation: accounts.integrationAcc2,
      obligationOwner: accounts.liquidityVaultAuthority,
      pythOracle: accounts.pythPrice,
      switchboardOracle: accounts.switchboardFeed,
      userTransferAuthority: accounts.liquidityVaultAuthority,
    },
    args: { liquidityAmount },
    signers: [bankSigner(accounts.bank)],
  });
}

/** Receipts under the bank's obligation become tokens in its vault. */
export function withdrawFromSolend(
  context: InvokeContext,
  accounts: Called,
  collateralAmount: bigint,
  borrowed: Borrowed,
): void {
  callProgram(context, withdrawSolendCollateralAndRedeem, {
    programId: SOLEND_PROGRAM,
    accounts: {
      ...accounts,
      reserveCollateral: accounts.reserveCollateralSupply,
      reserve: accounts.integrationAcc1,
      obligation: accounts.integrationAcc2,
      userLiquidity: accounts.liquidityVault,
      obligationOwner: accounts.liquidityVaultAuthority,
      userTransferAuthority: accounts.liquidityVaultAuthority,
    },
    args: { collateralAmount },
    remaining: [accounts.integrationAcc1],
    signers: [bankSigner(accounts.bank)],
    borrowed,
  });
}
