import { addWads, floorWads, multiplyWads, solendReceiptsPerToken, solendTotalSupplyWads, WAD } from '@lending/venues';
import { isU64 } from '#engine/bytes.ts';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import type { InvokeContext } from '#engine/program.ts';
import { check } from '../solend-error.ts';
import { loadReserve, storeStaleReserve } from '../state.ts';
import { isStale, mintTokens, takeAuthority, takeMarket, transferTokens } from '../steps.ts';

interface DepositAccounts {
  readonly source: InstructionAccount;
  readonly destination: InstructionAccount;
  readonly reserve: InstructionAccount;
  readonly liquiditySupply: InstructionAccount;
  readonly collateralMint: InstructionAccount;
  readonly market: InstructionAccount;
  readonly marketAuthority: InstructionAccount;
  readonly transferAuthority: InstructionAccount;
  readonly tokenProgram: InstructionAccount;
}

/** Takes tokens into a reserve and mints the receipts for them. Returns how many. @throws InstructionError */
export function depositLiquidity(context: InvokeContext, accounts: DepositAccounts, amount: bigint): bigint {
  const { source, destination, liquiditySupply, collateralMint, tokenProgram } = accounts;
  const market = takeMarket(context, accounts.market, tokenProgram);
  const reserve = loadReserve(accounts.reserve);
  const { liquidity, collateral } = reserve;
  check(context, accounts.reserve.owner === context.programId, 'InvalidAccountOwner');
  const isOfReserve =
    reserve.lendingMarket === accounts.market.address &&
    liquidity.supplyPubkey === liquiditySupply.address &&
    collateral.mintPubkey === collateralMint.address &&
    liquidity.supplyPubkey !== source.address &&
    collateral.supplyPubkey !== destination.address;
  check(context, isOfReserve, 'InvalidAccountInput');
  check(context, !isStale(context, reserve), 'ReserveStale');
  const seeds = takeAuthority(context, market, accounts.market, accounts.marketAuthority);
  const total = floorWads(addWads(amount * WAD, solendTotalSupplyWads(reserve)));
  check(context, total <= reserve.config.depositLimit, 'InvalidAmount');

  const minted = floorWads(multiplyWads(amount * WAD, solendReceiptsPerToken(reserve)));
  const availableAmount = liquidity.availableAmount + amount;
  const mintTotalSupply = collateral.mintTotalSupply + minted;
  check(context, isU64(availableAmount) && isU64(mintTotalSupply), 'MathOverflow');
  storeStaleReserve(accounts.reserve, {
    ...reserve,
    liquidity: { ...liquidity, availableAmount },
    collateral: { ...collateral, mintTotalSupply },
  });
  const { transferAuthority, marketAuthority } = accounts;
  transferTokens(context, { accounts: [source, liquiditySupply], authority: transferAuthority, tokenProgram, amount });
  mintTokens(context, {
    accounts: [collateralMint, destination],
    authority: marketAuthority,
    tokenProgram,
    amount: minted,
    seeds,
  });
  return minted;
}
