import { ASSET_TAG } from './asset-tag.ts';
import { isKnownSol, isKnownStablecoin } from './known-mints.ts';

/** What a token follows: the dollar, SOL (itself, or staked), or neither as far as is known. */
export type AssetClass = 'dollar' | 'sol' | 'other';

/** What tells the class of a bank's token. */
export interface ClassedToken {
  readonly mint: string;
  readonly assetTag: number;
  /** Whether a stake pool was found that says how much SOL the token is worth. */
  readonly hasStakePool: boolean;
}

/**
 * What a bank's token follows. Prices are not looked at: two that moved together so far need not be one thing.
 */
export function assetClassOf({ mint, assetTag, hasStakePool }: ClassedToken): AssetClass {
  if (isKnownStablecoin(mint)) return 'dollar';
  const isStaked = assetTag === ASSET_TAG.staked || hasStakePool;
  return isStaked || assetTag === ASSET_TAG.sol || isKnownSol(mint) ? 'sol' : 'other';
}
