import type { LeverageDeps } from '@lending/api';
import { type OpenedLocalnet, SWAP_PROGRAM } from '@lending/localnet';
import type { ProgramVersion } from '@lending/programs';
import { createSwapFinder } from '@lending/transactions';
import { type BuildersWorld, openBuildersWorld } from '../builders/builders-world.ts';

/** The builders' world with both aggregators. */
export interface LeverageWorld extends BuildersWorld {
  readonly deps: LeverageDeps;
}

/** As the service has them by default: half a percent of slippage, one of impact, three of deviation. */
const SWAP_BOUNDS: LeverageDeps['swapBounds'] = {
  slippageBps: 50,
  maxPriceImpactE18: 10n ** 16n,
  maxDeviationE18: 3n * 10n ** 16n,
};
/** Any key will do: the doubles of the aggregators take all of them. */
const KEYS = { jupiter: null, dflow: 'key-of-the-service' };

/** @param programVersion of the lending program; default the newest known. */
export async function openLeverageWorld(programVersion?: ProgramVersion): Promise<LeverageWorld> {
  const world = await openBuildersWorld(programVersion);
  const swaps = createSwaps(world.localnet);
  const swapPrograms = [SWAP_PROGRAM];
  return { ...world, deps: { ...world.deps, swaps, swapPrograms, swapBounds: SWAP_BOUNDS } };
}

/** A finder that remembers nothing of what aggregators said to others. */
export function createSwaps(
  { aggregatorUrls: urls }: Pick<OpenedLocalnet, 'aggregatorUrls'>,
  patience: { readonly deadlineMs?: number; readonly patienceMs?: number } = {},
): LeverageDeps['swaps'] {
  if (urls === null) throw new TypeError('The demo market has doubles of the aggregators');
  return createSwapFinder({ urls, keys: KEYS, swapPrograms: [SWAP_PROGRAM], ...patience });
}
