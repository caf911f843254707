import { INSTRUCTIONS_SYSVAR, KAMINO_FARMS_PROGRAM, KLEND_PROGRAM, TOKEN_PROGRAM } from '@lending/programs';
import type { AccountReader, Loader, NamedAccount } from '#programs/anchor/account-reader.ts';
import { requireAddress, requireAllWritable, requireWritable } from '#programs/anchor/constraints.ts';
import { requireConstraint } from '../constraints.ts';
import { type KAMINO_OBLIGATION, KAMINO_RESERVE } from '../state/kamino-state.ts';

/** What all instructions for Kamino's banks name of the venue, in order. */
export function readKaminoAccounts(reader: AccountReader, collateralName: string, { isInit = false } = {}) {
  const tokenAccount = (name: string) => (isInit ? reader.tokenAccount(name) : reader.unchecked(name));
  return {
    lendingMarket: reader.unchecked('lending_market'),
    lendingMarketAuthority: reader.unchecked('lending_market_authority'),
    integrationAcc1: reader.loader('integration_acc_1', KAMINO_RESERVE),
    mint: reader.mint('mint'),
    reserveLiquiditySupply: tokenAccount('reserve_liquidity_supply'),
    reserveCollateralMint: reader.unchecked('reserve_collateral_mint'),
    reserveCollateral: tokenAccount(collateralName),
    obligationFarmUserState: reader.optional('obligation_farm_user_state'),
    reserveFarmState: reader.optional('reserve_farm_state'),
    kaminoProgram: reader.unchecked('kamino_program'),
    farmsProgram: reader.unchecked('farms_program'),
    collateralTokenProgram: reader.program('collateral_token_program', TOKEN_PROGRAM),
    liquidityTokenProgram: reader.tokenProgram('liquidity_token_program'),
    instructionSysvarAccount: reader.unchecked('instruction_sysvar_account'),
  };
}

export type KaminoAccounts = ReturnType<typeof readKaminoAccounts>;

export function checkKaminoAccounts(accounts: KaminoAccounts, { isMintWritable }: { isMintWritable: boolean }): void {
  requireWritable(accounts.integrationAcc1);
  if (isMintWritable) requireWritable(accounts.mint);
  requireAllWritable(
    accounts.reserveLiquiditySupply,
    accounts.reserveCollateralMint,
    accounts.reserveCollateral,
    accounts.obligationFarmUserState,
    accounts.reserveFarmState,
  );
  requireAddress(accounts.kaminoProgram, KLEND_PROGRAM);
  requireAddress(accounts.farmsProgram, KAMINO_FARMS_PROGRAM);
  requireAddress(accounts.instructionSysvarAccount, INSTRUCTIONS_SYSVAR);
}

type Obligation = Loader<ReturnType<typeof KAMINO_OBLIGATION.view>>;

/** The first deposit of an obligation is the one in the bank's reserve. */
export function requireFirstReserve(obligation: Obligation, reserve: NamedAccount): void {
  const { depositReserve } = obligation.load().first;
  const isOfReserve = Buffer.compare(depositReserve, reserve.account.key) === 0;
  requireConstraint(obligation, isOfReserve, 'ObligationDepositReserveMismatch');
}

export function requireNoOtherDeposit(obligation: Obligation): void {
  const isAlone = obligation.load().others.every(({ depositedAmount }) => depositedAmount === 0n);
  requireConstraint(obligation, isAlone, 'InvalidObligationDepositCount');
}

/** Base units of the bank's receipts under its obligation. */
export function depositedIn(obligation: Obligation): bigint {
  return obligation.load().first.depositedAmount;
}
