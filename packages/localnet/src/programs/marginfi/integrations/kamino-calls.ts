import {
  KLEND_PROGRAM,
  klendDepositReserveLiquidityAndObligationCollateralV2,
  klendRefreshReservesBatch,
  klendWithdrawObligationCollateralAndRedeemReserveCollateralV2,
} from '@lending/programs';
import type { InvokeContext } from '#engine/program.ts';
import type { Loader, NamedAccount } from '#programs/anchor/account-reader.ts';
import { type Borrowed, callProgram } from '#programs/anchor/call-program.ts';
import type { BankState } from '../state/bank-state.ts';
import type { KaminoAccounts } from './kamino-accounts.ts';
import { bankSigner } from './user-transfer.ts';

type Called = KaminoAccounts & {
  readonly bank: Loader<BankState>;
  readonly liquidityVaultAuthority: NamedAccount;
  readonly liquidityVault: NamedAccount;
  readonly integrationAcc2: NamedAccount;
};

/** Brings the reserve's interest up to date; its prices stay as they are. */
export function refreshKaminoReserve(
  context: InvokeContext,
  { integrationAcc1, lendingMarket }: Pick<KaminoAccounts, 'integrationAcc1' | 'lendingMarket'>,
  borrowed: Borrowed = {},
): void {
  callProgram(context, klendRefreshReservesBatch, {
    programId: KLEND_PROGRAM,
    accounts: {},
    args: { skipPriceUpdates: true },
    remaining: [integrationAcc1, lendingMarket],
    borrowed,
  });
}

/** Tokens of the bank's vault become receipts under its obligation. */
export function depositToKamino(context: InvokeContext, accounts: Called, liquidityAmount: bigint): void {
  callProgram(context, klendDepositReserveLiquidityAndObligationCollateralV2, {
    programId: KLEND_PROGRAM,
    accounts: {
      ...accounts,
      owner: accounts.liquidityVaultAuthority,
      obligation: accounts.integrationAcc2,
      reserve: accounts.integrationAcc1,
      reserveLiquidityMint: accounts.mint,
      reserveDestinationDepositCollateral: accounts.reserveCollateral,
      userSourceLiquidity: accounts.liquidityVault,
      placeholderUserDestinationCollateral: null,
    },
    args: { liquidityAmount },
    signers: [bankSigner(accounts.bank)],
  });
}

/** Receipts under the bank's obligation become tokens in its vault. */
export function withdrawFromKamino(
  context: InvokeContext,
  accounts: Called,
  collateralAmount: bigint,
  borrowed: Borrowed,
): void {
  callProgram(context, klendWithdrawObligationCollateralAndRedeemReserveCollateralV2, {
    programId: KLEND_PROGRAM,
    accounts: {
      ...accounts,
      owner: accounts.liquidityVaultAuthority,
      obligation: accounts.integrationAcc2,
      withdrawReserve: accounts.integrationAcc1,
      reserveLiquidityMint: accounts.mint,
      reserveSourceCollateral: accounts.reserveCollateral,
      userDestinationLiquidity: accounts.liquidityVault,
      placeholderUserDestinationCollateral: null,
    },
    args: { collateralAmount },
    signers: [bankSigner(accounts.bank)],
    borrowed,
  });
}
