import { SOLEND_PROGRAM } from '@lending/programs';
import type { InvokeContext } from '#engine/program.ts';
import type { AccountReader, Loader, NamedAccount } from '#programs/anchor/account-reader.ts';
import { requireAddress, requireAllWritable, requireWritable } from '#programs/anchor/constraints.ts';
import { requireConstraint } from '../constraints.ts';
import { SOLEND_RESERVE } from '../state/solend-state.ts';

type Reserve = Loader<ReturnType<typeof SOLEND_RESERVE.view>>;

/** What all instructions for Solend's banks name of the venue before its oracles or its program, in order. */
export function readSolendAccounts(reader: AccountReader) {
  return {
    lendingMarket: reader.unchecked('lending_market'),
    lendingMarketAuthority: reader.unchecked('lending_market_authority'),
    integrationAcc1: reader.loader('integration_acc_1', SOLEND_RESERVE),
    mint: reader.mint('mint'),
    reserveLiquiditySupply: reader.tokenAccount('reserve_liquidity_supply'),
    reserveCollateralMint: reader.unchecked('reserve_collateral_mint'),
    reserveCollateralSupply: reader.tokenAccount('reserve_collateral_supply'),
    userCollateral: reader.unchecked('user_collateral'),
  };
}

/** What Solend's deposits name besides: two oracles, which it does not read. */
export function readSolendOracles(reader: AccountReader) {
  return {
    pythPrice: reader.unchecked('pyth_price'),
    switchboardFeed: reader.unchecked('switchboard_feed'),
  };
}

export type SolendAccounts = ReturnType<typeof readSolendAccounts>;
export type SolendOracles = ReturnType<typeof readSolendOracles>;

/** The bank's account at the venue, whose contents the instruction itself looks at. */
export function requireSolendObligation(obligation: NamedAccount): void {
  requireWritable(obligation);
  requireConstraint(obligation, obligation.account.owner === SOLEND_PROGRAM, 'InvalidSolendAccount');
}

/** A reserve counts with what it had when it was last refreshed, so it has to be in this slot. */
export function requireFreshReserve(context: InvokeContext, reserve: Reserve): void {
  requireWritable(reserve);
  requireConstraint(reserve, reserve.load().lastUpdateSlot >= context.slot.slot, 'SolendReserveStale');
}

export function checkSolendAccounts(accounts: SolendAccounts, solendProgram: NamedAccount): void {
  const { reserveLiquiditySupply, reserveCollateralMint, reserveCollateralSupply, userCollateral } = accounts;
  requireAllWritable(reserveLiquiditySupply, reserveCollateralMint, reserveCollateralSupply, userCollateral);
  requireAddress(solendProgram, SOLEND_PROGRAM);
}
