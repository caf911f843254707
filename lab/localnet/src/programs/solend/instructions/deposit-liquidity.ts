import { depositSolendLiquidity } from '@lending/programs';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { takeAccounts } from '../../account-list.ts';
import { check } from '../solend-error.ts';
import { depositLiquidity as takeDeposit } from '../steps/deposit-liquidity.ts';
import { refreshInterest } from '../steps.ts';

export const depositLiquidity = defineProgramInstruction({
  layout: depositSolendLiquidity,
  run(context, { liquidityAmount }) {
    check(context, liquidityAmount > 0n, 'InvalidAmount');
    const [
      source,
      destination,
      reserve,
      liquiditySupply,
      collateralMint,
      market,
      marketAuthority,
      transferAuthority,
      tokenProgram,
    ] = takeAccounts(context.accounts, 9);
    refreshInterest(context, reserve);
    takeDeposit(
      context,
      {
        source,
        destination,
        reserve,
        liquiditySupply,
        collateralMint,
        market,
        marketAuthority,
        transferAuthority,
        tokenProgram,
      },
      liquidityAmount,
    );
  },
});
