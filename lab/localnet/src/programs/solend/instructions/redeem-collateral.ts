import { redeemSolendCollateral } from '@lending/programs';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { takeAccounts } from '../../account-list.ts';
import { check } from '../solend-error.ts';
import { redeemCollateral as payOut } from '../steps/redeem-collateral.ts';
import { refreshInterest } from '../steps.ts';

export const redeemCollateral = defineProgramInstruction({
  layout: redeemSolendCollateral,
  run(context, { collateralAmount }) {
    check(context, collateralAmount > 0n, 'InvalidAmount');
    const [
      source,
      destination,
      reserve,
      collateralMint,
      liquiditySupply,
      market,
      marketAuthority,
      transferAuthority,
      tokenProgram,
    ] = takeAccounts(context.accounts, 9);
    refreshInterest(context, reserve);
    payOut(
      context,
      {
        source,
        destination,
        reserve,
        collateralMint,
        liquiditySupply,
        market,
        marketAuthority,
        transferAuthority,
        tokenProgram,
      },
      collateralAmount,
    );
  },
});
