import { PAYER } from '../../real-program/addresses.ts';
import { refreshAll } from '../solend-steps.ts';
import { obligationOf, poolOf, walletOf } from '../solend-world.ts';
import {
  ALL,
  ALT,
  borrow,
  fine,
  init,
  later,
  opened,
  refresh,
  refreshObligation,
  repay,
  type Scenario,
  SOL,
  setObligation,
  setReserve,
  supply,
  time,
  USD,
  WAD,
  withdraw,
} from './vocabulary.ts';

export const DEBTS: readonly Scenario[] = [
  {
    name: 'a loan, its interest and its repayment',
    steps: [
      ...opened,
      ...fine(borrow('ann', 'sol', 100n * SOL)),
      ...later(86_400n, 'ann'),
      ...fine(borrow('ann', 'sol', SOL), ...refreshAll('ann'), borrow('ann', 'usd', 1_000n * USD)),
      ...later(600n, 'ann'),
      ...fine(repay('ann', 'sol', 5n * SOL), repay('bob', 'sol', SOL, { swap: [3, obligationOf('ann')] })),
      ...fine(time(1n), repay('ann', 'sol', ALL)),
      [repay('ann', 'sol', 1n), 38],
      ...later(10n, 'ann'),
      ...fine(repay('ann', 'usd', 2_000n * USD)),
      [repay('ann', 'usd', 1n), 34],
      ...fine(...refreshAll('ann')),
    ],
  },
  {
    name: 'as much as possible, with and without a host',
    steps: [
      ...opened,
      [borrow('ann', 'sol', ALL, { tail: [poolOf('sol').hostFees] }), null],
      ...fine(...refreshAll('ann')),
      [borrow('ann', 'sol', ALL), 25],
      [withdraw('ann', 'usd', ALL), 24],
      ...fine(repay('ann', 'sol', 50n * SOL), ...refreshAll('ann')),
      [borrow('ann', 'alt', ALL, { tail: [poolOf('alt').hostFees] }), null],
      ...fine(repay('ann', 'alt', 100n * ALT), ...refreshAll('ann'), withdraw('ann', 'usd', ALL)),
      ...fine(
        repay('ann', 'sol', ALL),
        ...refreshAll('ann'),
        borrow('ann', 'usd', 10n * USD, { tail: [poolOf('usd').hostFees] }),
      ),
    ],
  },
  {
    name: 'what a loan must not be',
    steps: [
      ...opened,
      ...fine(init('bob'), refreshObligation('bob')),
      [borrow('bob', 'usd', 5n), 33],
      [borrow('ann', 'usd', 0n), 10],
      [borrow('ann', 'usd', 1n), 25],
      [borrow('ann', 'usd', 2n), 25],
      [borrow('ann', 'usd', 3n), null],
      [borrow('ann', 'usd', 3n), 22],
      [refresh('usd'), null],
      [borrow('ann', 'usd', 3n), 30],
      [refreshObligation('ann'), null],
      [borrow('ann', 'usd', 10_000_000n * USD), 26],
      [borrow('ann', 'usd', 5n, { swap: [3, poolOf('sol').feeReceiver] }), 13],
      [borrow('ann', 'usd', 5n, { swap: [0, poolOf('sol').liquiditySupply] }), 13],
      [borrow('ann', 'usd', 5n, { swap: [1, poolOf('usd').liquiditySupply] }), 13],
      [borrow('ann', 'usd', 5n, { swap: [6, PAYER] }), 3],
      [borrow('ann', 'usd', 5n, { swap: [7, walletOf('bob')] }), 32],
      [borrow('ann', 'usd', 5n, { unsigned: 7 }), 12],
      [borrow('ann', 'usd', 5n, { tail: 'drop' }), 'NotEnoughAccountKeys'],
      [setReserve('usd', ({ config }) => ({ config: { ...config, borrowLimit: 5_001_000n * USD } })), null],
      [borrow('ann', 'usd', 2_000n * USD), 10],
      [borrow('ann', 'usd', ALL), null],
      ...fine(...refreshAll('ann')),
      [setReserve('usd', ({ config }) => ({ config: { ...config, borrowLimit: 1n } })), null],
      [borrow('ann', 'usd', ALL), 25],
      [setObligation('ann', () => ({ depositedValue: 0n })), null],
      [borrow('ann', 'sol', 100n), 35],
    ],
  },
  {
    name: 'an isolated asset is owed alone',
    steps: [
      ...opened,
      ...fine(
        setReserve('sol', () => ({ reserveType: 1 })),
        borrow('ann', 'usd', 10n * USD),
        ...refreshAll('ann'),
      ),
      [borrow('ann', 'sol', SOL), 56],
      ...fine(repay('ann', 'usd', ALL), ...refreshAll('ann'), borrow('ann', 'sol', SOL), ...refreshAll('ann')),
      [borrow('ann', 'usd', 10n * USD), 56],
      [borrow('ann', 'sol', SOL), null],
      ...fine(
        ...refreshAll('ann'),
        setReserve('usd', () => ({ reserveType: 1 })),
      ),
      [borrow('ann', 'usd', 10n * USD), 56],
    ],
  },
  {
    name: 'the heaviest debt comes first, and what it weighs counts',
    steps: [
      ...fine(init('ann'), supply('ann', 'usd', 500_000n * USD), ...refreshAll('ann')),
      ...fine(borrow('ann', 'sol', SOL), ...refreshAll('ann'), borrow('ann', 'usd', USD), ...refreshAll('ann')),
      ...fine(borrow('ann', 'alt', ALT), ...refreshAll('ann')),
      ...fine(
        setReserve('sol', () => ({ addedBorrowWeightBps: 3_000n })),
        ...refreshAll('ann'),
      ),
      ...fine(
        setReserve('usd', () => ({ addedBorrowWeightBps: 3_000n })),
        ...refreshAll('ann'),
      ),
      [setReserve('usd', () => ({ addedBorrowWeightBps: ALL })), null],
      [borrow('ann', 'usd', 100n * USD), 26],
      ...fine(repay('ann', 'alt', ALL), ...refreshAll('ann')),
    ],
  },
  {
    name: 'a debt that is attributed to a reserve beyond its limit',
    steps: [
      ...opened,
      ...fine(borrow('ann', 'sol', 50n * SOL), ...refreshAll('ann')),
      [
        setReserve('usd', ({ attributedBorrowValue }) => ({
          attributedBorrowLimitOpen: attributedBorrowValue / WAD,
          attributedBorrowLimitClose: attributedBorrowValue / WAD + 10n,
        })),
        null,
      ],
      [borrow('ann', 'sol', SOL), 57],
      [withdraw('ann', 'usd', USD), 57],
      [withdraw('ann', 'alt', ALT), 57],
      ...fine(
        setObligation('ann', () => ({ closeable: 1 })),
        ...refreshAll('ann'),
      ),
      ...fine(
        setReserve('usd', () => ({ attributedBorrowLimitClose: 1n })),
        setObligation('ann', () => ({ closeable: 1 })),
      ),
      ...fine(
        ...refreshAll('ann'),
        setReserve('alt', () => ({ attributedBorrowValue: 1n })),
        ...refreshAll('ann'),
      ),
    ],
  },
  {
    name: 'a host that is promised more than the whole fee',
    steps: [
      ...opened,
      [
        setReserve('usd', ({ config }) => ({
          config: { ...config, fees: { ...config.fees, hostFeePercentage: 200 } },
        })),
        null,
      ],
      [borrow('ann', 'usd', 5_000n, { tail: [poolOf('usd').hostFees] }), 14],
      [borrow('ann', 'usd', 5_000n), null],
    ],
  },
  {
    name: 'a debt of nothing, and of next to nothing',
    steps: [
      ...opened,
      ...fine(borrow('ann', 'sol', SOL), ...refreshAll('ann')),
      [
        setObligation('ann', ({ borrows }) => ({
          borrows: borrows.map((each) => ({ ...each, borrowedAmountWads: 0n })),
        })),
        null,
      ],
      [repay('ann', 'sol', ALL), 40],
      [
        setObligation('ann', ({ borrows }) => ({
          borrows: borrows.map((each) => ({ ...each, borrowedAmountWads: 1n })),
        })),
        null,
      ],
      [repay('ann', 'sol', ALL), null],
      ...fine(...refreshAll('ann')),
    ],
  },
  {
    name: 'ten entries and no more',
    steps: [
      ...fine(init('ann'), supply('ann', 'usd', 1_000n * USD)),
      [
        setObligation('ann', ({ deposits, _unused }) => ({
          deposits: Array.from(
            { length: 10 },
            () => ({ ...deposits[0], depositReserve: PAYER }) as (typeof deposits)[number],
          ),
          _unused,
        })),
        null,
      ],
      [supply('ann', 'usd', 1n), 31],
    ],
  },
  {
    name: 'collateral without a price, a weight or a loan',
    steps: [
      ...opened,
      ...fine(
        setReserve('usd', ({ config }) => ({ config: { ...config, loanToValueRatio: 0 } })),
        ...refreshAll('ann'),
      ),
      ...fine(borrow('ann', 'sol', SOL), ...refreshAll('ann'), withdraw('ann', 'usd', 5n), ...refreshAll('ann')),
      [setObligation('ann', () => ({ allowedBorrowValue: 0n })), null],
      [withdraw('ann', 'usd', 5n), 24],
      [borrow('ann', 'sol', SOL), 26],
      [
        setReserve('usd', ({ liquidity }) => ({
          liquidity: { ...liquidity, marketPrice: 0n },
          smoothedMarketPrice: 0n,
        })),
        null,
      ],
      [refreshObligation('ann'), null],
      [withdraw('ann', 'usd', 5n), 14],
      [borrow('ann', 'usd', 5n), 14],
    ],
  },
];
