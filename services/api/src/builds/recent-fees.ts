import type { Chain } from '@lending/chain';
import { isLendingError } from '@lending/errors';
import type { Address } from '@solana/kit';

/**
 * What transactions that write these accounts paid lately: micro-lamports for a compute unit, the least of each recent block; zeros are
 * blocks in which nobody had to pay. At most 128 accounts. A node that keeps no such record is none to wait for: then nothing is known.
 */
export async function fetchRecentFees(
  chain: Chain,
  written: readonly Address[],
  signal?: AbortSignal,
): Promise<readonly bigint[]> {
  const fees = await chain.rpc
    .getRecentPrioritizationFees([...written])
    .send(signal === undefined ? {} : { abortSignal: signal })
    .catch((error: unknown) => {
      if (isLendingError(error, 'CHAIN__RPC_INVALID')) return [];
      throw error;
    });
  return fees.map(({ prioritizationFee }) => BigInt(prioritizationFee));
}
