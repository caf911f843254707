import { klendDepositReserveLiquidity } from '@lending/programs';
import type { InvokeContext } from '#engine/program.ts';
import { AccountReader } from '#programs/anchor/account-reader.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { check } from '../klend-error.ts';
import { MARKET, RESERVE } from '../state/kinds.ts';
import { checkHolder, checkPool, readTokenPrograms } from '../steps/pool-accounts.ts';
import { refreshReserve } from '../steps/refresh-reserve.ts';
import { depositLiquidity } from '../steps/reserve-flow.ts';
import { assertMayEnter, assertNoEmergency } from '../steps/reserve-open.ts';
import {
  assertPlainToken,
  assertSameUncounted,
  mintCTokens,
  signersOf,
  transferLiquidity,
  uncountedTokens,
} from '../steps/tokens.ts';

/** @see klend programs/klend/src/handlers/handler_deposit_reserve_liquidity.rs */
export const depositLiquidityInstruction = defineProgramInstruction({
  layout: klendDepositReserveLiquidity,
  run(context, { liquidityAmount }) {
    const accounts = readAccounts(context);
    const { owner, reserve, market, mint, vault, source } = accounts;
    checkAccounts(context, accounts);
    const refreshed = refreshReserve(reserve.load().read(), market.load().read(), null, context);
    reserve.loadMut().write(refreshed);
    const before = uncountedTokens(reserve, vault);
    const booked = depositLiquidity(context, refreshed, liquidityAmount);
    reserve.loadMut().write(booked.reserve);
    transferLiquidity(context, {
      tokenProgram: accounts.liquidityTokenProgram,
      mint,
      from: source,
      to: vault,
      authority: owner,
      amount: booked.liquidity,
    });
    mintCTokens(
      context,
      {
        tokenProgram: accounts.cTokenProgram,
        mint: accounts.cTokenMint,
        holder: accounts.destination,
        authority: accounts.marketAuthority,
        amount: booked.cTokens,
      },
      signersOf(market),
    );
    assertSameUncounted(context, before, uncountedTokens(reserve, vault));
  },
});

function readAccounts(context: InvokeContext) {
  const reader = new AccountReader(context);
  return {
    owner: reader.signer('owner'),
    reserve: reader.loader('reserve', RESERVE),
    market: reader.loader('lending_market', MARKET),
    marketAuthority: reader.unchecked('lending_market_authority'),
    mint: reader.mint('reserve_liquidity_mint'),
    vault: reader.tokenAccount('reserve_liquidity_supply'),
    cTokenMint: reader.mint('reserve_collateral_mint'),
    source: reader.tokenAccount('user_source_liquidity'),
    destination: reader.tokenAccount('user_destination_collateral'),
    ...readTokenPrograms(reader),
  };
}

function checkAccounts(context: InvokeContext, accounts: ReturnType<typeof readAccounts>): void {
  const { reserve, market, mint, cTokenMint, source, destination } = accounts;
  checkPool(context, accounts);
  checkHolder(source, mint, null);
  checkHolder(destination, cTokenMint, null);
  assertNoEmergency(market);
  const { liquidity, collateral, config } = reserve.load().read();
  check(source.account.address !== liquidity.supplyVault, 'InvalidAccountInput');
  check(destination.account.address !== collateral.supplyVault, 'InvalidAccountInput');
  assertMayEnter(reserve, market);
  check(config.blockCtokenUsage === 0, 'CTokenUsageBlocked');
  assertPlainToken(mint, source);
}
