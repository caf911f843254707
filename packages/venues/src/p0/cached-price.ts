import type { I80F48, PriceBand, ProgramErrorName, RiskPrice } from '@lending/domain';
import type { P0Bank } from './bank.ts';
import type { LoadedOracle } from './load-oracle.ts';
import { toRiskPrice } from './load-risk-price.ts';

const WIDEST = 0xffff_ffff;

/** What a bank's cache keeps of a price, raw I80F48: as the feed has it, and what one receipt is worth in tokens. */
export interface CachedPrice {
  readonly price: I80F48;
  /** Half of the interval. */
  readonly confidence: I80F48;
  readonly multiplier: I80F48;
  /** When the feed published it, unix seconds; 0 for a price that has no time. */
  readonly sourceTime: bigint;
}

/**
 * What a bank's cache takes from its oracle, or why it takes nothing.
 * @param price what the risk engine takes of the same oracle, where the caller has it already.
 * @see marginfi-v2 programs/marginfi/src/state/price.rs `get_price_and_confidence_for_cache`
 */
export function cachedPriceOf(
  bank: P0Bank,
  loaded: LoadedOracle,
  price: RiskPrice = toRiskPrice(bank, loaded),
): CachedPrice | { readonly error: ProgramErrorName } {
  if (price.kind === 'failed') return { error: price.error };
  if (loaded.kind === 'refused') return { error: 'ProgramFailedToComplete' };
  const raw = loaded.rawFeed === loaded.feed ? price.spot : rawBandOf(bank, loaded);
  if (typeof raw === 'string') return { error: raw };
  if (typeof price.spot === 'string') return { error: price.spot };
  return {
    price: raw.spot,
    confidence: raw.high - raw.spot,
    multiplier: loaded.multiplier,
    sourceTime: loaded.feed.publishTime ?? 0n,
  };
}

/** The feed before its multiplier: one of Pyth's may be as uncertain as it likes. */
function rawBandOf(bank: P0Bank, loaded: LoadedOracle & { readonly kind: 'loaded' }): PriceBand | ProgramErrorName {
  const isPyth = loaded.rawFeed.kind === 'pyth';
  const lenient = isPyth ? { ...bank, oracle: { ...bank.oracle, maxConfidence: WIDEST } } : bank;
  const raw = toRiskPrice(lenient, { ...loaded, feed: loaded.rawFeed });
  return raw.kind === 'loaded' ? raw.spot : raw.error;
}
