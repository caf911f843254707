import { NO_KEY } from '@lending/programs';
import { refreshAll } from '../solend-steps.ts';
import { feedAddress, MARKET } from '../solend-world.ts';
import { ALT, borrow, fine, opened, refresh, type Scenario, setReserve, time, withdraw } from './vocabulary.ts';

export const ORACLES: readonly Scenario[] = [
  {
    name: 'prices that are too old, too unsure, or replaced',
    steps: [
      [time(120n), null],
      [refresh('usd'), null],
      [refresh('sol'), 42],
      [refresh('alt'), null],
      [time(1n), null],
      [refresh('usd'), 42],
      [refresh('alt'), 42],
      ...fine({ kind: 'publish', feed: 'altFeed' }, { kind: 'publish', feed: 'usdPyth', price: 100_500_000n }),
      [refresh('usd'), null],
      // Pyth is too old: Switchboard steps in, and the average stays.
      [refresh('alt'), null],
      [{ kind: 'publish', feed: 'usdPyth', unsure: true }, null],
      [refresh('usd'), 42],
      [{ kind: 'publish', feed: 'altFeed', unsure: true }, null],
      [refresh('alt'), 42],
      [{ kind: 'publish', feed: 'altPyth', price: 260_000_000n }, null],
      [refresh('alt'), null],
      [{ kind: 'publish', feed: 'solFeed', price: 16_000_000_000n }, null],
      [refresh('sol'), null],
      [time(119n), null],
      [refresh('sol'), null],
      [time(1n), null],
      [refresh('sol'), 42],
    ],
  },
  {
    name: 'prices of nothing, and prices beyond the program’s integers',
    steps: [
      [{ kind: 'publish', feed: 'usdPyth', price: 0n }, null],
      [refresh('usd'), null],
      [{ kind: 'publish', feed: 'usdPyth', price: -1n }, null],
      [refresh('usd'), 42],
      [{ kind: 'publish', feed: 'solFeed', price: 0n }, null],
      [refresh('sol'), null],
      [{ kind: 'publish', feed: 'solFeed', price: -1n }, null],
      [refresh('sol'), 42],
      [{ kind: 'publish', feed: 'solFeed', price: 620_000_000_000n }, null],
      [refresh('sol'), null],
      // 10^18 twice on top of a price of 6,300 USD are more than 192 bits.
      [{ kind: 'publish', feed: 'solFeed', price: 630_000_000_000n }, null],
      [refresh('sol'), 42],
    ],
  },
  {
    name: 'prices of any exponent whose power of ten has 64 bits',
    steps: [0, 1, 2, 9, -1, -18, -19].flatMap((exponent) =>
      fine({ kind: 'publish', feed: 'usdPyth', price: 3n, exponent }, refresh('usd')),
    ),
  },
  {
    name: 'prices of an exponent beyond that',
    steps: [
      [{ kind: 'publish', feed: 'usdPyth', price: 3n, exponent: -20 }, null],
      [refresh('usd'), 42],
      [{ kind: 'publish', feed: 'usdPyth', price: 3n, exponent: 20 }, null],
      [refresh('usd'), 42],
      [{ kind: 'publish', feed: 'usdPyth', price: 100n, exponent: 19 }, null],
      [refresh('usd'), 14],
    ],
  },
  {
    name: 'oracles that are not the reserve’s',
    steps: [
      [refresh('usd', { swap: [1, feedAddress('altPyth')] }), 13],
      [refresh('usd', { swap: [2, feedAddress('altFeed')] }), 42],
      [refresh('alt', { withoutExtra: true }), 13],
      [refresh('alt', { swap: [3, feedAddress('usdPyth')] }), 13],
      [setReserve('usd', ({ liquidity }) => ({ liquidity: { ...liquidity, pythOracle: MARKET } })), null],
      [refresh('usd', { swap: [1, MARKET] }), 42],
      [refresh('usd', { tail: 'drop' }), 'NotEnoughAccountKeys'],
    ],
  },
  {
    name: 'a third price bounds the others, whatever its age',
    steps: [
      ...opened,
      ...fine({ kind: 'publish', feed: 'altExtra', price: 100_000_000n, unsure: true }, ...refreshAll('ann')),
      ...fine(borrow('ann', 'alt', ALT), ...refreshAll('ann')),
      ...fine(
        { kind: 'publish', feed: 'altExtra', price: 900_000_000n },
        ...refreshAll('ann'),
        withdraw('ann', 'alt', ALT),
      ),
      [setReserve('alt', () => ({ extraOracle: feedAddress('solFeed') })), null],
      [refresh('alt', { swap: [3, feedAddress('solFeed')] }), null],
      [{ kind: 'publish', feed: 'solFeed', unsure: true }, null],
      [refresh('alt', { swap: [3, feedAddress('solFeed')] }), 42],
      [setReserve('alt', () => ({ extraOracle: MARKET })), null],
      [refresh('alt', { swap: [3, MARKET] }), 42],
      [setReserve('alt', () => ({ extraOracle: NO_KEY })), null],
      [refresh('alt', { withoutExtra: true }), null],
    ],
  },
  {
    name: 'an offset of the price counts up to a fifth',
    steps: [-2_500n, -2_000n, 1n, 2_000n, 9_999_999n, -9_999_999n].flatMap((bps) =>
      fine(
        setReserve('alt', () => ({ scaledPriceOffsetBps: bps })),
        refresh('alt'),
      ),
    ),
  },
];
