import type { InvokeContext } from '#engine/program.ts';
import { panic } from '../klend-error.ts';

/** USD of one token, scaled by 2^60, and when it was made, in unix seconds. */
export interface LoadedPrice {
  readonly timestamp: bigint;
  /** Null where the feed says that it is not sure enough. */
  readonly valueSf: bigint | null;
  /** An average beside it, where the feed has one. */
  readonly average: { readonly timestamp: bigint; readonly valueSf: bigint | null } | null;
}

/** Two per cent of the price may be in doubt. */
export const CONFIDENCE_FACTOR = 50n;
const MAX_EXPONENT = 36;
const FRACTION_LIMIT = 1n << 128n;

/** `value ÷ 10^exponent`, rounded down. */
export function priceToSf(context: InvokeContext, value: bigint, exponent: number): bigint {
  if (exponent > MAX_EXPONENT) panic(context, `no support for exponent ${exponent}`);
  const valueSf = (value << 60n) / 10n ** BigInt(exponent);
  return valueSf < FRACTION_LIMIT ? valueSf : panic(context, 'the price does not fit');
}
