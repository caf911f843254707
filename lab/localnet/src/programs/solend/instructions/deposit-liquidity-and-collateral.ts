import { depositSolendLiquidityAndCollateral } from '@lending/programs';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { takeAccounts } from '../../account-list.ts';
import { check } from '../solend-error.ts';
import { loadReserve, storeStaleReserve } from '../state.ts';
import { depositCollateral } from '../steps/deposit-collateral.ts';
import { depositLiquidity } from '../steps/deposit-liquidity.ts';
import { refreshInterest } from '../steps.ts';

/** The receipts pass through an account of the depositor, and the two oracles are not looked at. */
export const depositLiquidityAndCollateral = defineProgramInstruction({
  layout: depositSolendLiquidityAndCollateral,
  run(context, { liquidityAmount }) {
    check(context, liquidityAmount > 0n, 'InvalidAmount');
    const [source, userCollateral, reserve, liquiditySupply, collateralMint, market, marketAuthority, ...rest] =
      takeAccounts(context.accounts, 14);
    const [collateralSupply, obligation, owner, _pyth, _switchboard, transferAuthority, tokenProgram] = rest;
    refreshInterest(context, reserve);
    const liquidity = { source, destination: userCollateral, reserve, liquiditySupply, collateralMint };
    const shared = { market, transferAuthority, tokenProgram };
    const minted = depositLiquidity(context, { ...liquidity, ...shared, marketAuthority }, liquidityAmount);
    refreshInterest(context, reserve);
    const collateral = { source: userCollateral, destination: collateralSupply, reserve, obligation, owner };
    depositCollateral(context, { ...collateral, ...shared }, minted);
    storeStaleReserve(reserve, loadReserve(reserve));
  },
});
