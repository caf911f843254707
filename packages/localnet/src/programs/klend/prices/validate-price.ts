import type { KlendReserve } from '@lending/programs';
import type { InvokeContext } from '#engine/program.ts';
import { ALL_PRICE_CHECKS, ageOf, PRICE_CHECK } from '../steps/last-update.ts';
import { type LoadedPrice, priceToSf } from './loaded-price.ts';

type TokenInfo = KlendReserve['config']['tokenInfo'];

/** A price, and which checks it passed. */
export interface ValidatedPrice {
  readonly valueSf: bigint;
  readonly timestamp: bigint;
  readonly checks: number;
}

const FULL_BPS = 10_000n;

/**
 * Judges a price by the reserve's own terms. A price that fails is taken all the same: what may be done with it is up to whoever asks
 * for its checks. Null where there is none to take.
 * @see klend programs/klend/src/utils/prices/checks.rs `get_validated_price`
 */
export function validatePrice(
  context: InvokeContext,
  { timestamp, valueSf, average }: LoadedPrice,
  terms: TokenInfo,
): ValidatedPrice | null {
  if (valueSf === null) return null;
  const now = context.slot.unixTimestamp;
  const passes = {
    loaded: true,
    young: ageOf(timestamp, now) <= terms.maxAgePriceSeconds,
    ...judgeAverage(valueSf, average, terms, now),
    withinHeuristic: isWithinHeuristic(context, valueSf, terms),
    usageAllowed: terms.blockPriceUsage === 0,
  };
  const failed = (Object.keys(PRICE_CHECK) as (keyof typeof PRICE_CHECK)[]).filter((name) => !passes[name]);
  const checks = failed.reduce((left, name) => left & ~PRICE_CHECK[name], ALL_PRICE_CHECKS);
  return { valueSf, timestamp, checks };
}

export function usesAverage({ maxTwapDivergenceBps }: TokenInfo): boolean {
  return maxTwapDivergenceBps > 0n;
}

function judgeAverage(
  valueSf: bigint,
  average: LoadedPrice['average'],
  terms: TokenInfo,
  now: bigint,
): { readonly nearAverage: boolean; readonly averageYoung: boolean } {
  if (!usesAverage(terms)) return { nearAverage: true, averageYoung: true };
  if (average === null) return { nearAverage: false, averageYoung: false };
  return {
    nearAverage: average.valueSf !== null && isNear(valueSf, average.valueSf, terms.maxTwapDivergenceBps),
    averageYoung: ageOf(average.timestamp, now) <= terms.maxAgeTwapSeconds,
  };
}

function isNear(valueSf: bigint, averageSf: bigint, toleranceBps: bigint): boolean {
  const distance = valueSf > averageSf ? valueSf - averageSf : averageSf - valueSf;
  return distance * FULL_BPS < valueSf * toleranceBps;
}

function isWithinHeuristic(context: InvokeContext, valueSf: bigint, { heuristic }: TokenInfo): boolean {
  const bound = (value: bigint) => priceToSf(context, value, Number(heuristic.exp));
  if (heuristic.lower > 0n && valueSf < bound(heuristic.lower)) return false;
  return heuristic.upper === 0n || valueSf <= bound(heuristic.upper);
}
