import { address } from '@solana/kit';
import { cornerCurve, type DemoBank, PLACEHOLDER_CURVE, p0Bank, venueBank } from './demo-bank.ts';

/** What the operators' dollars have in common. */
const DOLLARS = { feed: 'USDC', seed: 9000n, weights: ['0.8', '0.9', '1.25', '1.1'] } as const;
/**
 * The same of those that are nearly used up. The curve is so low that a debt of a million grows by cents a day: what a bank lacks to
 * its limits stays what its row says.
 */
const IDLE_DOLLARS = { ...DOLLARS, curve: cornerCurve(90, 0.001, 0.01), fees: ['0', '0', '0'] } as const;

/** P0 banks of ours over mints that exist nowhere else, and banks on reserves of mainnet that the main group does not have. */
const OURS: readonly DemoBank[] = [
  p0Bank('LEVY', '3SVg5notA7FWR4d3rUJCVzBZPQu992TYBmwFojx2HFmZ', {
    // Its token keeps a fee of every transfer; mainnet's token of the kind, PYUSD, has a fee of zero.
    ...DOLLARS,
    limits: [40_000_000_000_000n, 10_000_000_000_000n, 0n],
    shares: ['1.0211', '1.0406', '2210000000000.5', '930000000000.25'],
    positions: [37, 12],
  }),
  p0Bank('FULL', '6UWTWyw2WLyEb3M5d8aJbm9eQN7EQbNBQs9cbefAJK67', {
    // Room for 750 more.
    ...IDLE_DOLLARS,
    limits: [1_000_000_000_000n, 500_000_000_000n, 0n],
    shares: ['1.25', '1.25', '799400000000', '80000000000'],
    positions: [11, 2],
  }),
  p0Bank('LENT', '7ntXp2Ji1wBftZb16ogUCZzWPBnwT5uDad1qnxgFvy49', {
    // Lends out 400 more.
    ...IDLE_DOLLARS,
    limits: [40_000_000_000_000n, 1_000_000_000_000n, 0n],
    shares: ['1.25', '1.25', '1600000000000', '799680000000'],
    positions: [9, 6],
  }),
  p0Bank('DRY', '2FPk8bxC5YrAz2SS83ExNygR59jB5wjQp3ua4jF2UJ39', {
    // Its vault holds 250, though its limits allow more to be lent.
    ...IDLE_DOLLARS,
    limits: [40_000_000_000_000n, 20_000_000_000_000n, 0n],
    shares: ['1.25', '1.25', '800000000000', '799800000000'],
    positions: [7, 5],
  }),
  venueBank('solend', 'SOL', 'BJAbLwcXBuH7Kis6uhsg5Gux7Me6wXR8DEKjb8tMgzVJ', {
    // Save's reserve is mainnet's, the bank and its terms are ours, as those of the USDC bank on Save are.
    account: '8PbodeaosQP19SjYFx855UMqWxH2HynZLdBXmsrbac36',
    seed: 700n,
    weights: ['0.75', '0.85'],
    limits: [100_000_000_000_000n, 0n],
    shares: '1320000000000',
    lending: 8,
  }),
  venueBank('solend', 'USDT', '7Q6GU9RsPfrAo68xPpHTFxaLYAsBRqTEfV6tfEJsiQsQ', {
    account: '8K9WC8xoh2rtQNY7iEGXtPvfbDCi563SdWhCAhuMP2xE',
    seed: 700n,
    weights: ['0.9', '0.95'],
    limits: [5_000_000_000_000n, 0n],
    shares: '96200000000',
    lending: 5,
  }),
  venueBank('juplend', 'SOL', 'ALeaFCmPtEnRP37eXFAuUwjLUyk9Me1XXKhKzou5bghy', {
    // Beside the one that mainnet keeps paused, an open one over the same pool.
    account: 'BeAqbxfrcXmzEYT2Ra62oW2MqkuFDHaCtps47Mzg6Zj3',
    seed: 9006n,
    weights: ['0.75', '0.85'],
    limits: [100_000_000_000_000n, 0n],
    shares: '940000000000',
    lending: 6,
  }),
];

/** What all staked banks have in common: the group's settings for them say it. */
const STAKED = {
  feed: 'PythSOL',
  oracleSetup: 'StakedWithPythPush',
  oracleMaxAgeSeconds: 120,
  assetTag: 2,
  weights: ['0.9', '0.95', '1.5', '1.25'],
  limits: [2_500_000_000_000_000n, 0n, 2_500_000_000n],
  curve: PLACEHOLDER_CURVE,
  fees: ['0.1', '0.01', '0'],
} as const;

/**
 * Staked banks at mainnet addresses, with its terms and, where it has any, its totals of 2026-04-04. One counts its on-ramp and one does
 * not, which is ours.
 */
const STAKED_BANKS: readonly DemoBank[] = [
  p0Bank('MRGN2', 'EPh2abWP8DusPH8myWnECAAeQUZgAz927aMbmwXt3eRY', {
    ...STAKED,
    singlePool: {
      vote: address('mrgn2vsZ5EJ8YEfAMNPXmRux7th9cNfBasQ1JJvVwPn'),
      stake: address('9L2dgazLPDxXpVZYeBa2JVCtXPzfYvHmm43fngVtf2Hh'),
      onRamp: address('6LVDwYpCgvpS6b9cVBQLa1XCtzanBwqSX9987yFUKTE1'),
      countsOnRamp: false,
    },
    shares: ['1', '1', '1659527586', '0'],
    positions: [2, 0],
  }),
  p0Bank('MRGN4', 'BuCckNm1djpp3vZVhvh1CrrniirY6sr2hwUmeP5kTcGz', {
    ...STAKED,
    singlePool: {
      vote: address('mrgn4t2JabSgvGnrCaHXMvz8ocr4F52scsxJnkQMQsQ'),
      stake: address('Hf66RxL5Ha8HvcJjYJRKYo3zLFsfyLqP8Xp9rwYhFTJG'),
      onRamp: address('8nn7ptiA5ygC4mqy7BYMYf42ZTM7uBsDLt4dH1BQW1Mi'),
      countsOnRamp: true,
    },
    shares: ['1', '1', '0', '0'],
    positions: [-1, 0],
  }),
];

/**
 * Banks to practise on what the main group's own do not offer here, or only after days: a token with a transfer fee, SOL on every venue,
 * limits and vaults that are nearly used up, staked collateral. Nobody but their users acts on them.
 */
export const PRACTICE_BANKS: readonly DemoBank[] = [...OURS, ...STAKED_BANKS];
