/** What a pool says of one side of a trade. Prices in USD for one UI token, times 10^18. */
export interface SwapSide {
  readonly priceE18: bigint;
  readonly decimals: number;
  readonly feeBps: number;
  readonly depthUsd: bigint;
}

export interface SwapQuote {
  /** Base units of the output, rounded down. */
  readonly amountOut: bigint;
  /** How much worse than the oracle's price the size alone makes it, in millionths. */
  readonly priceImpactPpm: bigint;
}

const E18 = 10n ** 18n;
const BPS = 10_000n;
const PPM = 1_000_000n;

/**
 * The output of a trade at oracle prices: `value × depth / (depth + value)`, less the higher of both fees and what the route costs
 * besides. The shallower pool's depth decides. Rounded down once, at the end, so that no way round through several trades gains a unit.
 */
export function quoteSwap(amountIn: bigint, from: SwapSide, to: SwapSide, routeFeeBps = 0): SwapQuote {
  const valueE18 = (amountIn * from.priceE18) / 10n ** BigInt(from.decimals);
  const shallower = from.depthUsd < to.depthUsd ? from : to;
  const depthE18 = shallower.depthUsd * E18;
  const kept = BPS - BigInt(Math.min(Math.max(from.feeBps, to.feeBps) + routeFeeBps, Number(BPS)));
  const numerator = amountIn * from.priceE18 * 10n ** BigInt(to.decimals) * kept * depthE18;
  const denominator = to.priceE18 * 10n ** BigInt(from.decimals) * BPS * (depthE18 + valueE18);
  return {
    amountOut: numerator / denominator,
    priceImpactPpm: (valueE18 * PPM) / (depthE18 + valueE18),
  };
}
