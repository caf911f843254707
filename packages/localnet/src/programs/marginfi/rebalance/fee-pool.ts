import type { InvokeContext } from '#engine/program.ts';
import type { NamedAccount } from '#programs/anchor/account-reader.ts';
import { requireFoundSeeds, requireWritable } from '#programs/anchor/constraints.ts';
import { transferLamports } from '#programs/anchor/create-account.ts';

/** First seed of a pool's address; the key of its account is the second. */
export const FEE_POOL_SEED: Uint8Array = new TextEncoder().encode('rebalance_fee_pool');

/** The writable pool of an account, which need not exist. @returns the bump that it signs with. */
export function requireFeePool(context: InvokeContext, feePool: NamedAccount, marginfiAccount: NamedAccount): number {
  requireWritable(feePool);
  return requireFoundSeeds(feePool, [FEE_POOL_SEED, marginfiAccount.account.key], context.programId);
}

/** Pays lamports out of a pool, which signs by its seeds. */
export function payFromFeePool(
  context: InvokeContext,
  {
    feePool,
    marginfiAccount,
    bump,
  }: { readonly feePool: NamedAccount; readonly marginfiAccount: NamedAccount; readonly bump: number },
  to: NamedAccount,
  lamports: bigint,
): void {
  if (lamports === 0n) return;
  const seeds = [FEE_POOL_SEED, marginfiAccount.account.key, Uint8Array.of(bump)];
  transferLamports(context, feePool, to, lamports, seeds);
}
