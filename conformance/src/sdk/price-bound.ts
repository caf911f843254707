import type { PriceFeed } from '@lending/venues';
import { constant, decoded, exactly, least, minus, over, plus, type Rounded, times } from './rounding-bound.ts';

export interface BandBound {
  readonly spot: Rounded;
  readonly low: Rounded;
  readonly high: Rounded;
}

/** How far our prices and the SDK's may stand apart. */
export interface PriceBound {
  readonly spot: BandBound;
  readonly ema: BandBound;
}

const PYTH_INTERVALS = constant(2.12);
const WIDEST = constant(0.05);
const SWITCHBOARD_SCALE = exactly(1e18);

export function priceBound(feed: PriceFeed): PriceBound {
  switch (feed.kind) {
    case 'pyth': {
      const scale = exactly(10 ** -feed.exponent);
      const band = (price: bigint, conf: bigint) =>
        bandAround(over(exactly(Number(price)), scale), times(over(exactly(Number(conf)), scale), PYTH_INTERVALS));
      return { spot: band(feed.price, feed.conf), ema: band(feed.emaPrice, feed.emaConf) };
    }
    case 'switchboard': {
      const price = over(exactly(Number(feed.value)), SWITCHBOARD_SCALE);
      const band = { spot: price, low: price, high: price };
      return { spot: band, ema: band };
    }
    case 'scope':
      throw new TypeError('The SDK that is compared with reads no price of Scope');
    case 'fixed': {
      const price = decoded(feed.price);
      const band = { spot: price, low: price, high: price };
      return { spot: band, ema: band };
    }
  }
}

function bandAround(price: Rounded, interval: Rounded): BandBound {
  const half = least(interval, times(price, WIDEST));
  return { spot: price, low: minus(price, half), high: plus(price, half) };
}
