import type { SwapCost } from './swap-cost.ts';

/** The last quote for giving one mint for another; null where none was had. */
export type QuotedSwaps = (inMint: string, outMint: string) => SwapCost | null;

/** Of several quotes for the same mints the youngest counts, and of those of one moment the first given. */
export function quotedSwapsOf(swapCosts: readonly SwapCost[]): QuotedSwaps {
  const byMints = new Map<string, Map<string, SwapCost>>();
  for (const swap of swapCosts) {
    const ofInMint = byMints.get(swap.inMint) ?? new Map<string, SwapCost>();
    byMints.set(swap.inMint, ofInMint);
    const other = ofInMint.get(swap.outMint);
    if (other === undefined || swap.quotedAtMs > other.quotedAtMs) ofInMint.set(swap.outMint, swap);
  }
  return (inMint, outMint) => byMints.get(inMint)?.get(outMint) ?? null;
}
