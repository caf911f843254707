import { isLendingError } from '@lending/errors';
import type { FoundSwap, SwapFinder, SwapRequest } from '@lending/transactions';
import type { BuildPolicy } from '../build-request.ts';

/** A percentage's 10^-12ths, and 18 decimals of a part for each of them. */
const PPT_OF_PERCENT = 1e12;
const E18_OF_PPT = 10_000n;

/**
 * The best swap among those that the caller's policy takes, which need not be the best of all; where there is none, the best that the
 * service takes, whose figure the policy's refusal then names.
 * @throws what finding a swap throws.
 */
export async function findWithinPolicy(
  swaps: SwapFinder,
  wanted: SwapRequest,
  { maxPriceImpactPct }: Pick<BuildPolicy, 'maxPriceImpactPct'>,
): Promise<FoundSwap> {
  const ofPolicy =
    maxPriceImpactPct === null ? null : BigInt(Math.round(maxPriceImpactPct * PPT_OF_PERCENT)) * E18_OF_PPT;
  if (ofPolicy === null || ofPolicy >= wanted.maxPriceImpactE18) return swaps.find(wanted);
  try {
    return await swaps.find({ ...wanted, maxPriceImpactE18: ofPolicy });
  } catch (error) {
    if (!isLendingError(error, 'ACTION__SWAP_UNAVAILABLE')) throw error;
    return swaps.find(wanted);
  }
}
