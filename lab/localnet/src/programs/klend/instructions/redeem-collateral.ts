import { klendRedeemReserveCollateral } from '@lending/programs';
import type { InvokeContext } from '#engine/program.ts';
import { AccountReader } from '#programs/anchor/account-reader.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { check } from '../klend-error.ts';
import { MARKET, RESERVE } from '../state/kinds.ts';
import { checkHolder, checkPool, readTokenPrograms } from '../steps/pool-accounts.ts';
import { refreshReserve } from '../steps/refresh-reserve.ts';
import { redeemCollateral } from '../steps/reserve-flow.ts';
import { assertMayLeave, assertNoEmergency } from '../steps/reserve-open.ts';
import {
  assertPlainToken,
  assertSameUncounted,
  burnCTokens,
  signersOf,
  transferLiquidity,
  uncountedTokens,
} from '../steps/tokens.ts';

/** @see klend programs/klend/src/handlers/handler_redeem_reserve_collateral.rs */
export const redeemCollateralInstruction = defineProgramInstruction({
  layout: klendRedeemReserveCollateral,
  run(context, { collateralAmount }) {
    const accounts = readAccounts(context);
    const { owner, reserve, market, mint, vault, destination } = accounts;
    checkAccounts(context, accounts);
    const refreshed = refreshReserve(reserve.load().read(), market.load().read(), null, context);
    reserve.loadMut().write(refreshed);
    const before = uncountedTokens(reserve, vault);
    const redeemed = redeemCollateral(context, refreshed, collateralAmount);
    reserve.loadMut().write(redeemed.reserve);
    burnCTokens(context, {
      tokenProgram: accounts.cTokenProgram,
      mint: accounts.cTokenMint,
      holder: accounts.source,
      authority: owner,
      amount: redeemed.cTokens,
    });
    transferLiquidity(
      context,
      {
        tokenProgram: accounts.liquidityTokenProgram,
        mint,
        from: vault,
        to: destination,
        authority: accounts.marketAuthority,
        amount: redeemed.liquidity,
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
    market: reader.loader('lending_market', MARKET),
    reserve: reader.loader('reserve', RESERVE),
    marketAuthority: reader.unchecked('lending_market_authority'),
    mint: reader.mint('reserve_liquidity_mint'),
    cTokenMint: reader.mint('reserve_collateral_mint'),
    vault: reader.tokenAccount('reserve_liquidity_supply'),
    source: reader.tokenAccount('user_source_collateral'),
    destination: reader.tokenAccount('user_destination_liquidity'),
    ...readTokenPrograms(reader),
  };
}

function checkAccounts(context: InvokeContext, accounts: ReturnType<typeof readAccounts>): void {
  const { owner, reserve, market, mint, cTokenMint, source, destination } = accounts;
  checkPool(context, accounts);
  checkHolder(source, cTokenMint, null);
  checkHolder(destination, mint, owner);
  assertNoEmergency(market);
  const { liquidity, collateral } = reserve.load().read();
  check(source.account.address !== collateral.supplyVault, 'InvalidAccountInput');
  check(destination.account.address !== liquidity.supplyVault, 'InvalidAccountInput');
  assertMayLeave(reserve.load().read());
  assertPlainToken(mint, destination);
}
