import { address } from '@solana/kit';
import { cornerCurve, type DemoBank, PLACEHOLDER_CURVE } from './demo-bank.ts';

const INTEGRATION_FEES = { insuranceIr: '0.1', groupFixedApr: '0', groupIr: '0' } as const;
const NO_FEES = { insuranceIr: '0', groupFixedApr: '0', groupIr: '0' } as const;
/** So low that a debt of a million grows by cents a day: what a bank lacks to its limits stays what its row says. */
const IDLE_CURVE = cornerCurve(90, 0.001, 0.01);

/** What the operators' dollars on other venues have in common. */
const DOLLARS = {
  oracleMaxAgeSeconds: 300,
  state: 'Operational',
  riskTier: 'Collateral',
  valueLimitUsd: 0n,
  emodeTag: 0,
  emode: [],
  feesOutstanding: { insurance: '0', group: '0' },
} as const;

/** P0 banks of ours over mints that exist nowhere else, and banks on reserves of mainnet that the main group does not have. */
const OURS: readonly DemoBank[] = [
  {
    // Its token keeps a fee of every transfer; mainnet's token of the kind, PYUSD, has a fee of zero.
    ...DOLLARS,
    ticker: 'LEVY | Levied Dollar',
    description: 'Levied Dollar | practice | LEVY | P0 | -',
    address: address('3SVg5notA7FWR4d3rUJCVzBZPQu992TYBmwFojx2HFmZ'),
    token: 'LEVY',
    feed: 'USDC',
    oracleSetup: 'PythPushOracle',
    seed: 9000n,
    assetTag: 0,
    weights: { assetInit: '0.8', assetMaint: '0.9', liabilityInit: '1.25', liabilityMaint: '1.1' },
    depositLimit: 40_000_000_000_000n,
    borrowLimit: 10_000_000_000_000n,
    curve: cornerCurve(80, 10, 300),
    fees: { insuranceIr: '0', groupFixedApr: '0.01', groupIr: '0.05' },
    shares: {
      assetValue: '1.0211',
      liabilityValue: '1.0406',
      assets: '2210000000000.5',
      liabilities: '930000000000.25',
    },
    positions: { lending: 37, borrowing: 12 },
  },
  {
    // Room for 750 more.
    ...DOLLARS,
    ticker: 'FULL | Full Bank Dollar',
    description: 'Full Bank Dollar | practice | FULL | P0 | -',
    address: address('6UWTWyw2WLyEb3M5d8aJbm9eQN7EQbNBQs9cbefAJK67'),
    token: 'FULL',
    feed: 'USDC',
    oracleSetup: 'PythPushOracle',
    seed: 9000n,
    assetTag: 0,
    weights: { assetInit: '0.8', assetMaint: '0.9', liabilityInit: '1.25', liabilityMaint: '1.1' },
    depositLimit: 1_000_000_000_000n,
    borrowLimit: 500_000_000_000n,
    curve: IDLE_CURVE,
    fees: NO_FEES,
    shares: {
      assetValue: '1.25',
      liabilityValue: '1.25',
      assets: '799400000000',
      liabilities: '80000000000',
    },
    positions: { lending: 11, borrowing: 2 },
  },
  {
    // Lends out 400 more.
    ...DOLLARS,
    ticker: 'LENT | Lent Bank Dollar',
    description: 'Lent Bank Dollar | practice | LENT | P0 | -',
    address: address('7ntXp2Ji1wBftZb16ogUCZzWPBnwT5uDad1qnxgFvy49'),
    token: 'LENT',
    feed: 'USDC',
    oracleSetup: 'PythPushOracle',
    seed: 9000n,
    assetTag: 0,
    weights: { assetInit: '0.8', assetMaint: '0.9', liabilityInit: '1.25', liabilityMaint: '1.1' },
    depositLimit: 40_000_000_000_000n,
    borrowLimit: 1_000_000_000_000n,
    curve: IDLE_CURVE,
    fees: NO_FEES,
    shares: {
      assetValue: '1.25',
      liabilityValue: '1.25',
      assets: '1600000000000',
      liabilities: '799680000000',
    },
    positions: { lending: 9, borrowing: 6 },
  },
  {
    // Its vault holds 250, though its limits allow more to be lent.
    ...DOLLARS,
    ticker: 'DRY | Dry Bank Dollar',
    description: 'Dry Bank Dollar | practice | DRY | P0 | -',
    address: address('2FPk8bxC5YrAz2SS83ExNygR59jB5wjQp3ua4jF2UJ39'),
    token: 'DRY',
    feed: 'USDC',
    oracleSetup: 'PythPushOracle',
    seed: 9000n,
    assetTag: 0,
    weights: { assetInit: '0.8', assetMaint: '0.9', liabilityInit: '1.25', liabilityMaint: '1.1' },
    depositLimit: 40_000_000_000_000n,
    borrowLimit: 20_000_000_000_000n,
    curve: IDLE_CURVE,
    fees: NO_FEES,
    shares: {
      assetValue: '1.25',
      liabilityValue: '1.25',
      assets: '800000000000',
      liabilities: '799800000000',
    },
    positions: { lending: 7, borrowing: 5 },
  },
  {
    // Save's reserve is mainnet's, the bank and its terms are ours, as those of the USDC bank on Save are.
    ...DOLLARS,
    ticker: 'SOL | Wrapped SOL',
    description: 'Wrapped SOL | blue-chip | SOL | Solend | Main Market',
    address: address('BJAbLwcXBuH7Kis6uhsg5Gux7Me6wXR8DEKjb8tMgzVJ'),
    token: 'SOL',
    feed: 'SOL',
    oracleSetup: 'SolendSwitchboardPull',
    oracleMaxAgeSeconds: 70,
    venueAccount: address('8PbodeaosQP19SjYFx855UMqWxH2HynZLdBXmsrbac36'),
    seed: 700n,
    assetTag: 5,
    weights: { assetInit: '0.75', assetMaint: '0.85', liabilityInit: '1.5', liabilityMaint: '1.25' },
    depositLimit: 100_000_000_000_000n,
    borrowLimit: 0n,
    curve: PLACEHOLDER_CURVE,
    fees: INTEGRATION_FEES,
    shares: { assetValue: '1', liabilityValue: '1', assets: '1320000000000', liabilities: '0' },
    positions: { lending: 8, borrowing: 0 },
  },
  {
    ...DOLLARS,
    ticker: 'USDT | USDT',
    description: 'USDT | stablecoins | USDT | Solend | Main Market',
    address: address('7Q6GU9RsPfrAo68xPpHTFxaLYAsBRqTEfV6tfEJsiQsQ'),
    token: 'USDT',
    feed: 'USDT',
    oracleSetup: 'SolendPythPull',
    venueAccount: address('8K9WC8xoh2rtQNY7iEGXtPvfbDCi563SdWhCAhuMP2xE'),
    seed: 700n,
    assetTag: 5,
    weights: { assetInit: '0.9', assetMaint: '0.95', liabilityInit: '1.5', liabilityMaint: '1.25' },
    depositLimit: 5_000_000_000_000n,
    borrowLimit: 0n,
    curve: PLACEHOLDER_CURVE,
    fees: INTEGRATION_FEES,
    shares: { assetValue: '1', liabilityValue: '1', assets: '96200000000', liabilities: '0' },
    positions: { lending: 5, borrowing: 0 },
  },
  {
    // Beside the one that mainnet keeps paused, an open one over the same pool.
    ...DOLLARS,
    ticker: 'SOL | Wrapped SOL',
    description: 'Wrapped SOL | blue-chip | SOL | Jupiter | -',
    address: address('ALeaFCmPtEnRP37eXFAuUwjLUyk9Me1XXKhKzou5bghy'),
    token: 'SOL',
    feed: 'SOL',
    oracleSetup: 'JuplendSwitchboardPull',
    oracleMaxAgeSeconds: 70,
    venueAccount: address('BeAqbxfrcXmzEYT2Ra62oW2MqkuFDHaCtps47Mzg6Zj3'),
    seed: 9006n,
    assetTag: 6,
    weights: { assetInit: '0.75', assetMaint: '0.85', liabilityInit: '1.5', liabilityMaint: '1.25' },
    depositLimit: 100_000_000_000_000n,
    borrowLimit: 0n,
    curve: PLACEHOLDER_CURVE,
    fees: INTEGRATION_FEES,
    shares: { assetValue: '1', liabilityValue: '1', assets: '940000000000', liabilities: '0' },
    positions: { lending: 6, borrowing: 0 },
  },
];

/** What all staked banks have in common: the group's settings for them say it. */
const STAKED = {
  feed: 'PythSOL',
  oracleSetup: 'StakedWithPythPush',
  oracleMaxAgeSeconds: 120,
  assetTag: 2,
  state: 'Operational',
  riskTier: 'Collateral',
  weights: { assetInit: '0.9', assetMaint: '0.95', liabilityInit: '1.5', liabilityMaint: '1.25' },
  depositLimit: 2_500_000_000_000_000n,
  borrowLimit: 0n,
  valueLimitUsd: 2_500_000_000n,
  curve: PLACEHOLDER_CURVE,
  fees: { insuranceIr: '0.1', groupFixedApr: '0.01', groupIr: '0' },
  emodeTag: 0,
  emode: [],
  feesOutstanding: { insurance: '0', group: '0' },
} as const;

/**
 * Staked banks at mainnet addresses, with its terms and, where it has any, its totals of 2026-04-04. One counts its on-ramp and one does
 * not, which is ours.
 */
const STAKED_BANKS: readonly DemoBank[] = [
  {
    ...STAKED,
    ticker: 'MRGN2 | MRGN 2',
    description: 'MRGN 2 | staked | MRGN2 | P0 | -',
    address: address('EPh2abWP8DusPH8myWnECAAeQUZgAz927aMbmwXt3eRY'),
    token: 'MRGN2',
    singlePool: {
      vote: address('mrgn2vsZ5EJ8YEfAMNPXmRux7th9cNfBasQ1JJvVwPn'),
      stake: address('9L2dgazLPDxXpVZYeBa2JVCtXPzfYvHmm43fngVtf2Hh'),
      onRamp: address('6LVDwYpCgvpS6b9cVBQLa1XCtzanBwqSX9987yFUKTE1'),
      countsOnRamp: false,
    },
    shares: { assetValue: '1', liabilityValue: '1', assets: '1659527586', liabilities: '0' },
    positions: { lending: 2, borrowing: 0 },
  },
  {
    ...STAKED,
    ticker: 'MRGN4 | MRGN 4',
    description: 'MRGN 4 | staked | MRGN4 | P0 | -',
    address: address('BuCckNm1djpp3vZVhvh1CrrniirY6sr2hwUmeP5kTcGz'),
    token: 'MRGN4',
    singlePool: {
      vote: address('mrgn4t2JabSgvGnrCaHXMvz8ocr4F52scsxJnkQMQsQ'),
      stake: address('Hf66RxL5Ha8HvcJjYJRKYo3zLFsfyLqP8Xp9rwYhFTJG'),
      onRamp: address('8nn7ptiA5ygC4mqy7BYMYf42ZTM7uBsDLt4dH1BQW1Mi'),
      countsOnRamp: true,
    },
    shares: { assetValue: '1', liabilityValue: '1', assets: '0', liabilities: '0' },
    positions: { lending: -1, borrowing: 0 },
  },
];

/**
 * Banks to practise on what the main group's own do not offer here, or only after days: a token with a transfer fee, SOL on every venue,
 * limits and vaults that are nearly used up, staked collateral. Nobody but their users acts on them.
 */
export const PRACTICE_BANKS: readonly DemoBank[] = [...OURS, ...STAKED_BANKS];
