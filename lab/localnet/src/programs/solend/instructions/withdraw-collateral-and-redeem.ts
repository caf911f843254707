import { withdrawSolendCollateralAndRedeem } from '@lending/programs';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { takeAccounts } from '../../account-list.ts';
import { redeemCollateral } from '../steps/redeem-collateral.ts';
import { withdrawCollateral } from '../steps/withdraw-collateral.ts';
import { refreshInterest } from '../steps.ts';

const NAMED = 12;

/** The receipts pass through an account of the owner. */
export const withdrawCollateralAndRedeem = defineProgramInstruction({
  layout: withdrawSolendCollateralAndRedeem,
  run(context, { collateralAmount }) {
    const [collateralSupply, userCollateral, reserve, obligation, market, marketAuthority, ...rest] = takeAccounts(
      context.accounts,
      NAMED,
    );
    const [destination, collateralMint, liquiditySupply, owner, transferAuthority, tokenProgram] = rest;
    const shared = { reserve, market, marketAuthority, tokenProgram };
    const depositReserves = context.accounts.slice(NAMED);
    const out = { source: collateralSupply, destination: userCollateral, obligation, owner, depositReserves };
    const withdrawn = withdrawCollateral(context, { ...shared, ...out }, collateralAmount);
    // An obligation without debts may have been left unrefreshed, and its reserve too.
    refreshInterest(context, reserve);
    const paid = { source: userCollateral, destination, collateralMint, liquiditySupply, transferAuthority };
    redeemCollateral(context, { ...shared, ...paid }, withdrawn);
  },
});
