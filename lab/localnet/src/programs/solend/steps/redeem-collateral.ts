import { divideWads, floorWads, solendReceiptsPerToken, solendUpperPrice, solendValueAt, WAD } from '@lending/venues';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import type { InvokeContext } from '#engine/program.ts';
import { check } from '../solend-error.ts';
import { loadReserve, storeMarket, storeStaleReserve } from '../state.ts';
import { burnTokens, isStale, takeAuthority, takeMarket, takeOutflow, transferTokens } from '../steps.ts';

interface RedeemAccounts {
  readonly source: InstructionAccount;
  readonly destination: InstructionAccount;
  readonly reserve: InstructionAccount;
  readonly collateralMint: InstructionAccount;
  readonly liquiditySupply: InstructionAccount;
  readonly market: InstructionAccount;
  readonly marketAuthority: InstructionAccount;
  readonly transferAuthority: InstructionAccount;
  readonly tokenProgram: InstructionAccount;
}

/** Burns receipts and pays out what they are worth, within what the rate limiters let leave. @throws InstructionError */
export function redeemCollateral(context: InvokeContext, accounts: RedeemAccounts, amount: bigint): void {
  const { source, destination, collateralMint, liquiditySupply, tokenProgram } = accounts;
  const market = takeMarket(context, accounts.market, tokenProgram);
  const reserve = loadReserve(accounts.reserve);
  const { liquidity, collateral } = reserve;
  check(context, accounts.reserve.owner === context.programId, 'InvalidAccountOwner');
  const isOfReserve =
    reserve.lendingMarket === accounts.market.address &&
    collateral.mintPubkey === collateralMint.address &&
    collateral.supplyPubkey !== source.address &&
    liquidity.supplyPubkey === liquiditySupply.address &&
    liquidity.supplyPubkey !== destination.address;
  check(context, isOfReserve, 'InvalidAccountInput');
  check(context, !isStale(context, reserve), 'ReserveStale');
  const seeds = takeAuthority(context, market, accounts.market, accounts.marketAuthority);

  const paid = floorWads(divideWads(amount * WAD, solendReceiptsPerToken(reserve)));
  check(context, amount <= collateral.mintTotalSupply, 'MathOverflow');
  check(context, paid <= liquidity.availableAmount, 'InsufficientLiquidity');
  const value = solendValueAt(solendUpperPrice(reserve), paid * WAD, reserve);
  const ofMarket = takeOutflow(context, market.rateLimiter, value);
  const ofReserve = takeOutflow(context, reserve.rateLimiter, paid * WAD);
  storeStaleReserve(accounts.reserve, {
    ...reserve,
    liquidity: { ...liquidity, availableAmount: liquidity.availableAmount - paid },
    collateral: { ...collateral, mintTotalSupply: collateral.mintTotalSupply - amount },
    rateLimiter: ofReserve,
  });
  storeMarket(accounts.market, { ...market, rateLimiter: ofMarket });
  const { transferAuthority, marketAuthority } = accounts;
  burnTokens(context, { accounts: [source, collateralMint], authority: transferAuthority, tokenProgram, amount });
  transferTokens(context, {
    accounts: [liquiditySupply, destination],
    authority: marketAuthority,
    tokenProgram,
    amount: paid,
    seeds,
  });
}
