import { NO_KEY, TOKEN_2022_PROGRAM } from '@lending/programs';
import { PAYER } from '../../real-program/addresses.ts';
import { refreshAll } from '../solend-steps.ts';
import { holdingsOf, MARKET, poolOf } from '../solend-world.ts';
import {
  ALL,
  ALT,
  borrow,
  deposit,
  fine,
  init,
  later,
  limiter,
  MINUTE,
  opened,
  refresh,
  refreshObligation,
  type Scenario,
  SOL,
  setMarket,
  setReserve,
  supply,
  time,
  USD,
  WAD,
  withdraw,
} from './vocabulary.ts';

export const OBLIGATIONS: readonly Scenario[] = [
  {
    name: 'an obligation is set up once, by its owner',
    steps: [
      [{ kind: 'init', user: 'ann', unsigned: 2 }, 12],
      [{ kind: 'init', user: 'ann', swap: [3, NO_KEY] }, 'InvalidArgument'],
      [{ kind: 'init', user: 'ann', swap: [4, TOKEN_2022_PROGRAM] }, 9],
      [{ kind: 'init', user: 'ann', swap: [1, poolOf('usd').reserve] }, 'InvalidAccountData'],
      [{ kind: 'init', user: 'ann', swap: [0, poolOf('usd').reserve] }, 'InvalidAccountData'],
      [{ kind: 'init', user: 'ann', tail: 'drop' }, 'NotEnoughAccountKeys'],
      [refreshObligation('ann'), 'UninitializedAccount'],
      [supply('ann', 'usd', 1n), 'UninitializedAccount'],
      [init('ann'), null],
      [init('ann'), 1],
      [refreshObligation('ann'), null],
      [refreshObligation('ann', { tail: [poolOf('usd').reserve] }), 13],
    ],
  },
  {
    name: 'deposits and withdrawals through an obligation, as P0 makes them',
    steps: [
      ...fine(init('ann'), supply('ann', 'usd', 1_000n * USD)),
      ...later(MINUTE, 'ann'),
      ...fine(supply('ann', 'usd', 77n), refresh('usd'), refreshObligation('ann'), withdraw('ann', 'usd', 1n)),
      ...fine(...refreshAll('ann')),
      [withdraw('ann', 'usd', 0n), 24],
      [withdraw('ann', 'sol', 1n), 37],
      [withdraw('ann', 'usd', 300n * USD), null],
      ...later(3_600n, 'ann'),
      [withdraw('ann', 'usd', ALL), null],
      ...fine(...refreshAll('ann')),
      [withdraw('ann', 'usd', 1n), 33],
    ],
  },
  {
    name: 'without debts nothing has to be refreshed before a withdrawal',
    steps: [
      ...fine(
        init('ann'),
        supply('ann', 'usd', 1_000n * USD),
        withdraw('ann', 'usd', 1n),
        withdraw('ann', 'usd', 5n * USD),
      ),
      ...fine(time(MINUTE), withdraw('ann', 'usd', 7n * USD), supply('ann', 'alt', 9n * ALT), time(3_600n)),
      ...fine(
        withdraw('ann', 'alt', ALL),
        setMarket(() => ({ rateLimiter: limiter(100n) })),
      ),
      // What the window lets leave is counted before the interest, and paid out with it.
      [withdraw('ann', 'usd', ALL), 54],
      ...fine({ kind: 'publish', feed: 'usdPyth' }, refresh('usd'), withdraw('ann', 'usd', ALL)),
      [withdraw('ann', 'usd', ALL), 24],
    ],
  },
  {
    name: 'a withdrawal is worth a hundred billion USD at most',
    steps: [
      ...fine(init('ann'), supply('ann', 'usd', 9_000_000n * USD), supply('ann', 'alt', 5n * ALT)),
      ...fine(
        setReserve('usd', ({ liquidity }) => ({
          liquidity: { ...liquidity, marketPrice: 10n ** 6n * WAD },
          smoothedMarketPrice: 3n * 10n ** 6n * WAD,
        })),
      ),
      ...fine(withdraw('ann', 'usd', ALL), withdraw('ann', 'usd', ALL)),
    ],
  },
  {
    name: 'with debts everything has to be refreshed before a withdrawal',
    steps: [
      ...opened,
      ...fine(borrow('ann', 'sol', SOL), ...refreshAll('ann'), deposit('bob', 'usd', 5n)),
      [withdraw('ann', 'usd', 1n), 22],
      [refresh('usd'), null],
      [withdraw('ann', 'usd', 1n), null],
      [refresh('usd'), null],
      [withdraw('ann', 'usd', 1n), 30],
      [time(1n), null],
      [withdraw('ann', 'usd', 1n), 22],
      ...fine(...refreshAll()),
      [withdraw('ann', 'usd', 1n), 30],
      ...fine(refreshObligation('ann'), withdraw('ann', 'usd', 1n)),
    ],
  },
  {
    name: 'what leaves the middle of the list leaves its bytes behind',
    steps: [
      ...fine(
        init('ann'),
        supply('ann', 'usd', 1_000n * USD),
        supply('ann', 'sol', SOL),
        supply('ann', 'alt', 9n * ALT),
      ),
      ...later(MINUTE, 'ann'),
      ...fine(withdraw('ann', 'sol', ALL), ...refreshAll('ann'), withdraw('ann', 'usd', ALL)),
      ...fine(...refreshAll('ann'), supply('ann', 'sol', 5n), ...refreshAll('ann'), withdraw('ann', 'alt', ALL)),
    ],
  },
  {
    name: 'reserves are named in the obligation’s order, refreshed in its slot',
    steps: [
      ...opened,
      [refreshObligation('ann', { swap: [1, poolOf('alt').reserve] }), 13],
      [refreshObligation('ann', { swap: [1, MARKET] }), 13],
      [refreshObligation('ann', { swap: [1, holdingsOf('ann', 'usd').tokens] }), 5],
      [refreshObligation('ann', { tail: 'drop' }), 'NotEnoughAccountKeys'],
      [time(1n), null],
      [refreshObligation('ann'), 22],
      [refresh('usd'), null],
      [refreshObligation('ann'), 22],
      [refresh('alt'), null],
      [refreshObligation('ann'), null],
      [withdraw('ann', 'usd', 1n, { tail: 'drop' }), 'NotEnoughAccountKeys'],
      [withdraw('ann', 'usd', 1n, { swap: [12, poolOf('alt').reserve] }), 13],
      [withdraw('ann', 'usd', 1n, { tail: [PAYER] }), null],
    ],
  },
];
