import type { KlendReserve } from '@lending/programs';
import { kaminoCTokenRate } from '@lending/venues';

/** USD of so many cTokens at the reserve's own price, scaled by 2^60 and rounded down at each step. */
export function valueOfCTokens(reserve: KlendReserve, cTokens: bigint): bigint {
  const { liquiditySf, cTokens: supply } = kaminoCTokenRate(reserve);
  const { marketPriceSf, mintDecimals } = reserve.liquidity;
  return (((cTokens * liquiditySf) / supply) * marketPriceSf) / ((10n ** mintDecimals) << 60n);
}
