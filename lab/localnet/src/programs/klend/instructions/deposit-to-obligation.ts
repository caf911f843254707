import { klendDepositReserveLiquidityAndObligationCollateralV2 } from '@lending/programs';
import type { InvokeContext } from '#engine/program.ts';
import { AccountReader } from '#programs/anchor/account-reader.ts';
import { requireAddress, requireWritable } from '#programs/anchor/constraints.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { check } from '../klend-error.ts';
import { MARKET, OBLIGATION, RESERVE } from '../state/kinds.ts';
import { assertFarmTold, readFarm } from '../steps/farm.ts';
import { addCollateral } from '../steps/obligation-collateral.ts';
import { checkHolder, checkObligation, checkPool, readTokenPrograms } from '../steps/pool-accounts.ts';
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

/** @see klend programs/klend/src/handlers/handler_deposit_reserve_liquidity_and_obligation_collateral.rs */
export const depositToObligation = defineProgramInstruction({
  layout: klendDepositReserveLiquidityAndObligationCollateralV2,
  run(context, { liquidityAmount }) {
    const reader = new AccountReader(context);
    const accounts = readAccounts(reader);
    const farm = readFarm(reader);
    checkAccounts(context, accounts);
    deposit(context, accounts, liquidityAmount);
    assertFarmTold(accounts.reserve.load().read(), farm);
  },
});

type DepositAccounts = ReturnType<typeof readAccounts>;

function readAccounts(reader: AccountReader) {
  return {
    owner: reader.signer('owner'),
    obligation: reader.loader('obligation', OBLIGATION),
    market: reader.loader('lending_market', MARKET),
    marketAuthority: reader.unchecked('lending_market_authority'),
    reserve: reader.loader('reserve', RESERVE),
    mint: reader.mint('reserve_liquidity_mint'),
    vault: reader.tokenAccount('reserve_liquidity_supply'),
    cTokenMint: reader.mint('reserve_collateral_mint'),
    cTokenVault: reader.tokenAccount('reserve_destination_deposit_collateral'),
    source: reader.tokenAccount('user_source_liquidity'),
    placeholder: reader.optional('placeholder_user_destination_collateral'),
    ...readTokenPrograms(reader),
  };
}

function checkAccounts(context: InvokeContext, accounts: DepositAccounts): void {
  const { owner, obligation, reserve, mint, market, cTokenVault, source } = accounts;
  requireWritable(owner);
  checkObligation(obligation, accounts);
  checkPool(context, accounts);
  requireWritable(cTokenVault);
  const { liquidity, collateral } = reserve.load().read();
  requireAddress(cTokenVault, collateral.supplyVault);
  checkHolder(source, mint, owner);
  assertNoEmergency(market);
  check(source.account.address !== liquidity.supplyVault, 'InvalidAccountInput');
}

function deposit(context: InvokeContext, accounts: DepositAccounts, amount: bigint): void {
  const { owner, obligation, reserve, market, mint, vault, source } = accounts;
  assertMayEnter(reserve, market);
  assertPlainToken(mint, source);
  const terms = market.load().read();
  const before = uncountedTokens(reserve, vault);
  const booked = depositLiquidity(context, reserve.load().read(), amount);
  const refreshed = refreshReserve(booked.reserve, terms, null, context);
  const pool = { address: reserve.account.address, state: refreshed };
  const changed = addCollateral(context, terms, pool, obligation.load().read(), booked.cTokens);
  obligation.loadMut().write(changed);
  reserve.loadMut().write({ ...refreshed, lastUpdate: { ...refreshed.lastUpdate, stale: 1 } });
  const liquidityTokenProgram = accounts.liquidityTokenProgram;
  transferLiquidity(context, {
    tokenProgram: liquidityTokenProgram,
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
      holder: accounts.cTokenVault,
      authority: accounts.marketAuthority,
      amount: booked.cTokens,
    },
    signersOf(market),
  );
  assertSameUncounted(context, before, uncountedTokens(reserve, vault));
}
