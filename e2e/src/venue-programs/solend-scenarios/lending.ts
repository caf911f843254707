import {
  ALL,
  ALT,
  deposit,
  fine,
  later,
  MINUTE,
  publishAll,
  redeem,
  refresh,
  type Scenario,
  SOL,
  setReserve,
  supply,
  time,
  USD,
  WAD,
} from './vocabulary.ts';

export const LENDING: readonly Scenario[] = [
  {
    name: 'tokens become receipts and receipts tokens, with interest in between',
    steps: [
      ...fine(
        deposit('ann', 'usd', 1_000n * USD + 1n),
        deposit('bob', 'sol', 3n * SOL),
        deposit('cyd', 'alt', 5n * ALT),
      ),
      ...later(MINUTE),
      ...fine(redeem('ann', 'usd', 7n), redeem('bob', 'sol', SOL)),
      ...later(86_400n),
      ...fine(redeem('ann', 'usd', 500n * USD), refresh('usd'), redeem('ann', 'usd', 1n)),
      ...fine(deposit('ann', 'usd', 1n), time(1n), deposit('ann', 'usd', 2n), deposit('bob', 'usd', 3n)),
    ],
  },
  {
    name: 'interest over a year, a slot and none',
    steps: [
      ...fine(refresh('usd'), refresh('usd'), time(1n), refresh('usd')),
      ...later(31_536_000n),
      ...later(1n),
      ...fine(setReserve('usd', ({ liquidity }) => ({ liquidity: { ...liquidity, availableAmount: 0n } }))),
      ...later(3_600n),
      ...fine(setReserve('usd', ({ liquidity }) => ({ liquidity: { ...liquidity, borrowedAmountWads: 0n } }))),
      [refresh('usd'), null],
      [time(1n), null],
      // Nothing is there but what the protocol has taken.
      [refresh('usd'), 14],
    ],
  },
  {
    name: 'an empty reserve gives a receipt for a token',
    steps: fine(
      setReserve('usd', ({ liquidity, collateral }) => ({
        liquidity: { ...liquidity, availableAmount: 0n, borrowedAmountWads: 0n },
        collateral: { ...collateral, mintTotalSupply: 0n },
        accumulatedProtocolFeesWads: 0n,
      })),
      refresh('usd'),
      deposit('ann', 'usd', 12_345n),
      refresh('usd'),
      redeem('ann', 'usd', 45n),
    ),
  },
  {
    name: 'every slope of the curve',
    steps: [30n, 60n, 61n, 85n, 86n, 99n, 100n].flatMap((lent) =>
      fine(
        setReserve('usd', ({ liquidity }) => ({
          liquidity: { ...liquidity, availableAmount: (100n - lent) * USD, borrowedAmountWads: lent * USD * WAD },
          accumulatedProtocolFeesWads: 0n,
        })),
        time(30n),
        ...publishAll,
        refresh('usd'),
        setReserve('alt', ({ liquidity }) => ({
          liquidity: { ...liquidity, availableAmount: (100n - lent) * ALT, borrowedAmountWads: lent * ALT * WAD },
          accumulatedProtocolFeesWads: 0n,
        })),
        refresh('alt'),
      ),
    ),
  },
  {
    name: 'deposits up to the limit',
    steps: [
      [refresh('usd'), null],
      [deposit('ann', 'usd', 0n), 10],
      [supply('ann', 'usd', 0n), 10],
      [setReserve('usd', ({ config }) => ({ config: { ...config, depositLimit: 10_000_000n * USD } })), null],
      [deposit('ann', 'usd', 1_000n * USD + 1_000_000n), 10],
      [deposit('ann', 'usd', 900n * USD), null],
      [deposit('ann', 'usd', 100n * USD), 10],
    ],
  },
  {
    name: 'more than there is cannot be redeemed',
    steps: [
      ...fine(deposit('ann', 'usd', 1_000n * USD), redeem('ann', 'usd', 1n), refresh('usd')),
      [redeem('ann', 'usd', 0n), 10],
      [redeem('bob', 'usd', 1n), 1],
      [redeem('ann', 'usd', ALL), 14],
      [setReserve('usd', ({ liquidity }) => ({ liquidity: { ...liquidity, availableAmount: 10n } })), null],
      [redeem('ann', 'usd', 100n * USD), 20],
      // Interest comes by itself, prices do not.
      [time(1n), null],
      [redeem('ann', 'usd', 1n), null],
      [deposit('ann', 'usd', 10n ** 15n), 10],
      [setReserve('usd', ({ config }) => ({ config: { ...config, depositLimit: ALL } })), null],
      [deposit('ann', 'usd', 10n ** 15n), 1],
      [deposit('ann', 'usd', ALL), 14],
    ],
  },
];
