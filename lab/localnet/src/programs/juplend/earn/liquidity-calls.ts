import { juplendLiquidityOperate, juplendLiquidityPreOperate } from '@lending/programs';
import type { Address } from '@solana/kit';
import { readU64 } from '#engine/bytes.ts';
import type { InvokeContext } from '#engine/program.ts';
import type { NamedAccount } from '#programs/anchor/account-reader.ts';
import { callProgram } from '#programs/anchor/call-program.ts';
import { fail } from '../juplend-error.ts';
import type { PoolAccounts } from './pool-accounts.ts';

const LENDING_SEED = new TextEncoder().encode('lending');
/** Tokens that leave go straight to who gets them. */
const DIRECT = 1;

/** Tells the liquidity layer that a deposit of this pool follows. */
export function announceDeposit(context: InvokeContext, pool: PoolAccounts): void {
  const { lending, liquidity, supplyPosition, vault, tokenReserve, tokenProgram, mint } = pool;
  callProgram(context, juplendLiquidityPreOperate, {
    programId: pool.liquidityProgram.account.address,
    accounts: {
      protocol: lending,
      liquidity,
      userSupplyPosition: supplyPosition,
      userBorrowPosition: null,
      vault,
      tokenReserve,
      tokenProgram,
    },
    args: { mint: mint.account.address },
    signers: [signerOf(pool)],
  });
}

/**
 * Supplies (positive) or withdraws in the name of the pool.
 * @returns the supply price the layer answers with.
 */
export function moveSupply(
  context: InvokeContext,
  pool: PoolAccounts,
  supplyAmount: bigint,
  receiver: { readonly owner: Address; readonly account: NamedAccount } | null,
): bigint {
  const { lending, liquidity, supplyPosition, vault, tokenReserve, tokenProgram, mint, rateModel } = pool;
  const programId = pool.liquidityProgram.account.address;
  callProgram(context, juplendLiquidityOperate, {
    programId,
    accounts: {
      protocol: lending,
      liquidity,
      tokenReserve,
      mint,
      vault,
      userSupplyPosition: supplyPosition,
      userBorrowPosition: null,
      rateModel,
      withdrawToAccount: receiver?.account ?? null,
      borrowToAccount: null,
      borrowClaimAccount: null,
      withdrawClaimAccount: null,
      tokenProgram,
    },
    args: {
      supplyAmount,
      borrowAmount: 0n,
      withdrawTo: receiver?.owner ?? liquidity.account.address,
      borrowTo: liquidity.account.address,
      transferType: DIRECT,
    },
    signers: [signerOf(pool)],
  });
  const answer = context.returnData;
  return answer?.programId === programId ? readU64(answer.data, 0) : fail('FTokenCpiToLiquidityFailed');
}

function signerOf({ lending, mint, fTokenMint }: PoolAccounts): readonly Uint8Array[] {
  return [LENDING_SEED, mint.account.key, fTokenMint.account.key, Uint8Array.of(lending.load().bump)];
}
