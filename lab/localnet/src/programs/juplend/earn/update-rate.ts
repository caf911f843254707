import { juplendEarnUpdateRate } from '@lending/programs';
import { AccountReader } from '#programs/anchor/account-reader.ts';
import { requireAddress, requireWritable } from '#programs/anchor/constraints.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { LENDING, REWARDS, TOKEN_RESERVE } from '../accounts.ts';
import { requireKey } from '../checks.ts';
import { liquidityPriceOf, requirePool, updateRates } from './pool-accounts.ts';

/** @see fluid-solana-programs programs/lending/src/module/admin.rs `update_rate` */
export const updateRate = defineProgramInstruction({
  layout: juplendEarnUpdateRate,
  run(context) {
    const reader = new AccountReader(context);
    const lending = reader.account('lending', LENDING);
    const mint = reader.mint('mint');
    const fTokenMint = reader.mint('f_token_mint');
    const tokenReserve = reader.loader('supply_token_reserves_liquidity', TOKEN_RESERVE);
    const rewards = reader.account('rewards_rate_model', REWARDS);
    requireWritable(lending);
    requirePool(lending, mint, fTokenMint);
    requireKey(tokenReserve, tokenReserve.load().mint, mint);
    requireAddress(tokenReserve, lending.load().tokenReservesLiquidity);
    requireAddress(rewards, lending.load().rewardsRateModel);

    const pool = { lending, fTokenMint, tokenReserve, rewards };
    updateRates(context, pool, liquidityPriceOf(context, pool));
  },
});
