import {
  ASSOCIATED_TOKEN_PROGRAM,
  JUPLEND_LENDING_PROGRAM,
  JUPLEND_LIQUIDITY_PROGRAM,
  SYSTEM_PROGRAM,
} from '@lending/programs';
import { areBytesEqual } from '#engine/bytes.ts';
import type { AccountReader, Loader, NamedAccount } from '#programs/anchor/account-reader.ts';
import { requireAddress, requireAllWritable, requireWritable } from '#programs/anchor/constraints.ts';
import { requireConstraint, requireHasOne } from '../constraints.ts';
import { JUPLEND_LENDING } from '../state/juplend-state.ts';

export type JuplendLendingState = ReturnType<typeof JUPLEND_LENDING.view>;

/** The pool and what of it the bank holds, in the order that all instructions for JupLend's banks name them. */
export function readJuplendPool(reader: AccountReader) {
  return {
    mint: reader.mint('mint'),
    integrationAcc1: reader.loader('integration_acc_1', JUPLEND_LENDING),
    fTokenMint: reader.mint('f_token_mint'),
    integrationAcc2: reader.tokenAccount('integration_acc_2'),
  };
}

/** What the venue's own instructions need besides, in order; only a withdrawal names a claim account. */
export function readJuplendVenue(reader: AccountReader) {
  return { ...readLiquidityLayer(reader), ...readPrograms(reader) };
}

/** The same with the claim account. */
export function readJuplendClaimVenue(reader: AccountReader) {
  return {
    ...readLiquidityLayer(reader),
    claimAccount: reader.unchecked('claim_account'),
    ...readPrograms(reader),
  };
}

function readLiquidityLayer(reader: AccountReader) {
  return {
    lendingAdmin: reader.unchecked('lending_admin'),
    supplyTokenReservesLiquidity: reader.unchecked('supply_token_reserves_liquidity'),
    lendingSupplyPositionOnLiquidity: reader.unchecked('lending_supply_position_on_liquidity'),
    rateModel: reader.unchecked('rate_model'),
    vault: reader.unchecked('vault'),
  };
}

function readPrograms(reader: AccountReader) {
  return {
    liquidity: reader.unchecked('liquidity'),
    liquidityProgram: reader.unchecked('liquidity_program'),
    rewardsRateModel: reader.unchecked('rewards_rate_model'),
    juplendProgram: reader.unchecked('juplend_program'),
    tokenProgram: reader.tokenProgram('token_program'),
    associatedTokenProgram: reader.program('associated_token_program', ASSOCIATED_TOKEN_PROGRAM),
    systemProgram: reader.program('system_program', SYSTEM_PROGRAM),
  };
}

export type JuplendPool = ReturnType<typeof readJuplendPool>;
export type JuplendVenue = ReturnType<typeof readJuplendVenue>;

export function checkJuplendPool({ integrationAcc1, fTokenMint, integrationAcc2 }: JuplendPool): void {
  requireWritable(integrationAcc1);
  requireHasOne(integrationAcc1, integrationAcc1.load().fTokenMint, fTokenMint, 'InvalidJuplendLending');
  requireAllWritable(fTokenMint, integrationAcc2);
}

export function checkJuplendVenue(
  lending: Loader<JuplendLendingState>,
  venue: JuplendVenue & { readonly claimAccount?: NamedAccount },
): void {
  const state = lending.load();
  requireWritable(venue.supplyTokenReservesLiquidity);
  requireKnownBy(venue.supplyTokenReservesLiquidity, state.tokenReservesLiquidity);
  requireWritable(venue.lendingSupplyPositionOnLiquidity);
  requireKnownBy(venue.lendingSupplyPositionOnLiquidity, state.supplyPositionOnLiquidity);
  requireAllWritable(venue.vault, venue.claimAccount ?? null, venue.liquidity);
  requireAddress(venue.liquidityProgram, JUPLEND_LIQUIDITY_PROGRAM);
  requireKnownBy(venue.rewardsRateModel, state.rewardsRateModel);
  requireAddress(venue.juplendProgram, JUPLEND_LENDING_PROGRAM);
}

/** The pool names the account. */
function requireKnownBy(account: NamedAccount, stored: Uint8Array): void {
  requireConstraint(account, areBytesEqual(account.account.key, stored), 'InvalidJuplendLending');
}
