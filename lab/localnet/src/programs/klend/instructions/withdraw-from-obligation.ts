import { klendWithdrawObligationCollateralAndRedeemReserveCollateralV2 } from '@lending/programs';
import type { InvokeContext } from '#engine/program.ts';
import { AccountReader } from '#programs/anchor/account-reader.ts';
import { requireAddress, requireWritable } from '#programs/anchor/constraints.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { check } from '../klend-error.ts';
import { MARKET, OBLIGATION, RESERVE } from '../state/kinds.ts';
import { assertFarmTold, readFarm } from '../steps/farm.ts';
import { hasNoDeposits, takeCollateral } from '../steps/obligation-collateral.ts';
import { checkHolder, checkObligation, checkPool, readTokenPrograms } from '../steps/pool-accounts.ts';
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

/** @see klend programs/klend/src/handlers/handler_withdraw_obligation_collateral_and_redeem_reserve_collateral.rs */
export const withdrawFromObligation = defineProgramInstruction({
  layout: klendWithdrawObligationCollateralAndRedeemReserveCollateralV2,
  run(context, { collateralAmount }) {
    const reader = new AccountReader(context);
    const accounts = readAccounts(reader);
    const farm = readFarm(reader);
    checkAccounts(context, accounts);
    withdraw(context, accounts, collateralAmount);
    assertFarmTold(accounts.reserve.load().read(), farm);
  },
});

type WithdrawAccounts = ReturnType<typeof readAccounts>;

function readAccounts(reader: AccountReader) {
  return {
    owner: reader.signer('owner'),
    obligation: reader.loader('obligation', OBLIGATION),
    market: reader.loader('lending_market', MARKET),
    marketAuthority: reader.unchecked('lending_market_authority'),
    reserve: reader.loader('withdraw_reserve', RESERVE),
    mint: reader.mint('reserve_liquidity_mint'),
    cTokenVault: reader.tokenAccount('reserve_source_collateral'),
    cTokenMint: reader.mint('reserve_collateral_mint'),
    vault: reader.tokenAccount('reserve_liquidity_supply'),
    destination: reader.tokenAccount('user_destination_liquidity'),
    placeholder: reader.optional('placeholder_user_destination_collateral'),
    ...readTokenPrograms(reader),
  };
}

function checkAccounts(context: InvokeContext, accounts: WithdrawAccounts): void {
  const { owner, obligation, reserve, mint, market, cTokenVault, destination } = accounts;
  requireWritable(owner);
  checkObligation(obligation, accounts);
  checkPool(context, accounts);
  requireWritable(cTokenVault);
  requireAddress(cTokenVault, reserve.load().read().collateral.supplyVault);
  checkHolder(destination, mint, owner);
  assertNoEmergency(market);
}

function withdraw(context: InvokeContext, accounts: WithdrawAccounts, wanted: bigint): void {
  const { owner, obligation, reserve, market, mint, vault, destination } = accounts;
  const state = reserve.load().read();
  assertMayLeave(state);
  check(destination.account.address !== state.liquidity.supplyVault, 'InvalidAccountInput');
  assertPlainToken(mint, destination);
  const before = uncountedTokens(reserve, vault);
  const pool = { address: reserve.account.address, state };
  const taken = takeCollateral(context, market.load().read(), pool, obligation.load().read(), wanted);
  const redeemed = redeemCollateral(context, state, taken.cTokens);
  obligation.loadMut().write(taken.obligation);
  reserve.loadMut().write(redeemed.reserve);
  const signers = signersOf(market);
  burnCTokens(
    context,
    {
      tokenProgram: accounts.cTokenProgram,
      mint: accounts.cTokenMint,
      holder: accounts.cTokenVault,
      authority: accounts.marketAuthority,
      amount: redeemed.cTokens,
    },
    signers,
  );
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
    signers,
  );
  assertSameUncounted(context, before, uncountedTokens(reserve, vault));
  if (hasNoDeposits(taken.obligation)) closeTo(context, owner, obligation);
}

/** An obligation that holds nothing any more is closed, and its rent goes to its owner. */
function closeTo(
  context: InvokeContext,
  { account: owner }: WithdrawAccounts['owner'],
  { account }: WithdrawAccounts['obligation'],
): void {
  owner.lamports += account.lamports;
  account.lamports = 0n;
  context.closeAccount(account);
}
