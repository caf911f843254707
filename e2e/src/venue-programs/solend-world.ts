import type { AccountState } from '@lending/localnet';
import {
  findSolendMarketAuthority,
  mintLayout,
  NO_KEY,
  PYTH_RECEIVER_PROGRAM,
  priceUpdateV2Layout,
  pullFeedLayout,
  SOLEND_NULL_ORACLE,
  SOLEND_PROGRAM,
  type SolendReserve,
  SWITCHBOARD_ON_DEMAND_PROGRAM,
  solendLendingMarketLayout,
  solendObligationLayout,
  solendReserveLayout,
  TOKEN_ACCOUNT_STATE,
  TOKEN_PROGRAM,
  tokenAccountLayout,
} from '@lending/programs';
import type { Address, ReadonlyUint8Array } from '@solana/kit';
import { labelled, PAYER, SYSTEM_PROGRAM } from '../real-program/addresses.ts';
import { rentExempt } from '../real-program/chain.ts';

export const START_TIME = 1_770_000_000n;
/** Two slots a second, as `Chain` counts them. */
const START_SLOT = START_TIME * 2n;
const WAD = 10n ** 18n;
const U64_MAX = 2n ** 64n - 1n;

export const MARKET = labelled('solend market');
export const [AUTHORITY, AUTHORITY_BUMP] = await findSolendMarketAuthority(MARKET);
export const MARKET_OWNER = labelled('solend market owner');
/** Priced by Pyth; by Switchboard alone; by both and a third oracle besides, scaled, and heavier to owe. */
export const RESERVES = ['usd', 'sol', 'alt'] as const;
export type ReserveName = (typeof RESERVES)[number];
export const USERS = ['ann', 'bob', 'cyd'] as const;
export type User = (typeof USERS)[number];
export const FEEDS = ['usdPyth', 'solFeed', 'altPyth', 'altFeed', 'altExtra'] as const;
export type FeedName = (typeof FEEDS)[number];

const DECIMALS: Readonly<Record<ReserveName, number>> = { usd: 6, sol: 9, alt: 8 };
export const isPyth = (feed: FeedName): boolean => !feed.endsWith('Feed');
export const feedAddress = (feed: FeedName): Address => labelled(`solend feed ${feed}`);
export const walletOf = (user: User): Address => labelled(`solend ${user}`);
export const obligationOf = (user: User): Address => labelled(`solend obligation ${user}`);

/** What belongs to one reserve. */
export function poolOf(reserve: ReserveName) {
  const own = (what: string) => labelled(`solend ${reserve} ${what}`);
  return {
    reserve: own('reserve'),
    mint: own('mint'),
    liquiditySupply: own('liquidity supply'),
    collateralMint: own('collateral mint'),
    collateralSupply: own('collateral supply'),
    feeReceiver: own('fee receiver'),
    hostFees: own('host fees'),
  };
}

/** What a user holds of one reserve. */
export function holdingsOf(user: User, reserve: ReserveName) {
  return {
    tokens: labelled(`solend ${user} ${reserve} tokens`),
    receipts: labelled(`solend ${user} ${reserve} receipts`),
  };
}

export const ORACLES: Readonly<Record<ReserveName, { readonly pyth: Address; readonly switchboard: Address }>> = {
  usd: { pyth: feedAddress('usdPyth'), switchboard: SOLEND_NULL_ORACLE },
  sol: { pyth: SOLEND_NULL_ORACLE, switchboard: feedAddress('solFeed') },
  alt: { pyth: feedAddress('altPyth'), switchboard: feedAddress('altFeed') },
};
export const EXTRA_ORACLE = feedAddress('altExtra');

type Placed = readonly [Address, AccountState];

/** A market with three reserves that are in use, three users with tokens, and obligations that are not set up yet. */
export function worldAccounts(): ReadonlyMap<Address, AccountState> {
  return new Map<Address, AccountState>([
    [PAYER, held(SYSTEM_PROGRAM, new Uint8Array(), 10n ** 12n)],
    [MARKET, marketAccount()],
    ...FEEDS.map((feed): Placed => [feedAddress(feed), feedAccount(feed)]),
    ...RESERVES.flatMap(reserveAccounts),
    ...USERS.flatMap(userAccounts),
  ]);
}

function marketAccount(): AccountState {
  const codec = solendLendingMarketLayout;
  const market = codec.decode(new Uint8Array(solendLendingMarketLayout.fixedSize));
  return solendAccount(
    codec.encode({
      ...market,
      version: 1,
      bumpSeed: AUTHORITY_BUMP,
      owner: MARKET_OWNER,
      tokenProgramId: TOKEN_PROGRAM,
      // Bytes that nobody reads must stay what they are.
      quoteCurrency: new Uint8Array(32).fill(7),
      _padding: new Uint8Array(8).fill(9),
    }),
  );
}

function reserveAccounts(name: ReserveName): Placed[] {
  const pool = poolOf(name);
  const state = reserveState(name);
  const { availableAmount } = state.liquidity;
  return [
    [pool.reserve, solendAccount(solendReserveLayout.encode(state))],
    [pool.mint, mintAccount(MARKET_OWNER, U64_MAX / 2n, DECIMALS[name])],
    [pool.liquiditySupply, tokenAccount(pool.mint, AUTHORITY, availableAmount)],
    [pool.feeReceiver, tokenAccount(pool.mint, AUTHORITY, 0n)],
    [pool.hostFees, tokenAccount(pool.mint, MARKET_OWNER, 0n)],
    [pool.collateralMint, mintAccount(AUTHORITY, state.collateral.mintTotalSupply, DECIMALS[name])],
    [pool.collateralSupply, tokenAccount(pool.collateralMint, AUTHORITY, 0n)],
  ];
}

/** Half of it lent, since some slots before the beginning. */
function reserveState(name: ReserveName): SolendReserve {
  const pool = poolOf(name);
  const empty = solendReserveLayout.decode(new Uint8Array(solendReserveLayout.fixedSize));
  const unit = 10n ** BigInt(DECIMALS[name]);
  return {
    ...empty,
    version: 1,
    lastUpdate: { slot: START_SLOT - 1_000n, stale: 1 },
    lendingMarket: MARKET,
    liquidity: {
      mintPubkey: pool.mint,
      mintDecimals: DECIMALS[name],
      supplyPubkey: pool.liquiditySupply,
      pythOracle: ORACLES[name].pyth,
      switchboardOracle: ORACLES[name].switchboard,
      availableAmount: 5_000_000n * unit,
      borrowedAmountWads: 5_000_000n * unit * WAD + 123_456_789n,
      cumulativeBorrowRateWads: 1_234_567_890_123_456_789n,
      marketPrice: WAD,
    },
    collateral: {
      mintPubkey: pool.collateralMint,
      mintTotalSupply: 9_000_000n * unit,
      supplyPubkey: pool.collateralSupply,
    },
    config: {
      optimalUtilizationRate: 60,
      loanToValueRatio: 70,
      liquidationBonus: 3,
      liquidationThreshold: 77,
      minBorrowRate: 1,
      optimalBorrowRate: 5,
      maxBorrowRate: 30,
      fees: { borrowFeeWad: 10n ** 15n, flashLoanFeeWad: 5n * 10n ** 14n, hostFeePercentage: name === 'sol' ? 0 : 20 },
      depositLimit: 50_000_000n * unit,
      borrowLimit: 40_000_000n * unit,
      feeReceiver: pool.feeReceiver,
      protocolLiquidationFee: 60,
      protocolTakeRate: 20,
    },
    accumulatedProtocolFeesWads: 1_000n * unit * WAD + 5n,
    smoothedMarketPrice: WAD,
    // The third has terms that an older program left, which are corrected on reading.
    maxUtilizationRate: name === 'alt' ? 0 : 85,
    superMaxBorrowRate: name === 'alt' ? 0n : 150n,
    maxLiquidationBonus: name === 'alt' ? 0 : 5,
    maxLiquidationThreshold: name === 'alt' ? 0 : 79,
    addedBorrowWeightBps: name === 'alt' ? 2_000n : 0n,
    scaledPriceOffsetBps: name === 'alt' ? -500n : 0n,
    extraOracle: name === 'alt' ? EXTRA_ORACLE : NO_KEY,
    _padding: new Uint8Array(49).fill(3),
  };
}

function userAccounts(user: User): Placed[] {
  const wallet = walletOf(user);
  return [
    [wallet, held(SYSTEM_PROGRAM, new Uint8Array(), 10n ** 10n)],
    [obligationOf(user), solendAccount(new Uint8Array(solendObligationLayout.fixedSize))],
    ...RESERVES.flatMap((reserve): Placed[] => {
      const { tokens, receipts } = holdingsOf(user, reserve);
      const { mint, collateralMint } = poolOf(reserve);
      const amount = 10_000_000n * 10n ** BigInt(DECIMALS[reserve]);
      return [
        [tokens, tokenAccount(mint, wallet, amount)],
        [receipts, tokenAccount(collateralMint, wallet, 0n)],
      ];
    }),
  ];
}

/** USD with 8 decimals. */
const PRICES: Readonly<Record<FeedName, bigint>> = {
  usdPyth: 99_990_000n,
  solFeed: 15_012_345_678n,
  altPyth: 250_000_000n,
  altFeed: 251_000_000n,
  altExtra: 245_000_000n,
};

function feedAccount(feed: FeedName): AccountState {
  return isPyth(feed) ? pythAccount(feed) : switchboardAccount(feed);
}

function pythAccount(feed: FeedName): AccountState {
  const data = priceUpdateV2Layout.encode({
    writeAuthority: feedAddress(feed),
    verificationLevel: { __kind: 'Full' },
    priceMessage: {
      feedId: new Uint8Array(32).fill(1),
      price: PRICES[feed],
      conf: PRICES[feed] / 1_000n,
      exponent: -8,
      publishTime: START_TIME,
      prevPublishTime: START_TIME,
      emaPrice: (PRICES[feed] * 99n) / 100n,
      emaConf: PRICES[feed] / 1_000n,
    },
    postedSlot: START_SLOT,
  });
  return held(PYTH_RECEIVER_PROGRAM, data);
}

function switchboardAccount(feed: FeedName): AccountState {
  const codec = pullFeedLayout;
  const empty = new Uint8Array(pullFeedLayout.fixedSize);
  empty.set(pullFeedLayout.discriminator);
  const zero = codec.decode(empty);
  const value = PRICES[feed] * 10n ** 10n;
  const data = codec.encode({ ...zero, result: { ...zero.result, value, range: value / 500n, slot: START_SLOT } });
  return held(SWITCHBOARD_ON_DEMAND_PROGRAM, data);
}

function mintAccount(authority: Address, supply: bigint, decimals: number): AccountState {
  const data = mintLayout.encode({
    mintAuthority: { isSome: true, value: authority },
    supply,
    decimals,
    isInitialized: true,
    freezeAuthority: { isSome: false, value: NO_KEY },
  });
  return held(TOKEN_PROGRAM, data);
}

function tokenAccount(mint: Address, owner: Address, amount: bigint): AccountState {
  const none = { isSome: false, value: NO_KEY };
  const data = tokenAccountLayout.encode({
    mint,
    owner,
    amount,
    delegate: none,
    state: TOKEN_ACCOUNT_STATE.initialized,
    isNative: { isSome: false, value: 0n },
    delegatedAmount: 0n,
    closeAuthority: none,
  });
  return held(TOKEN_PROGRAM, data);
}

function solendAccount(data: ReadonlyUint8Array): AccountState {
  return held(SOLEND_PROGRAM, data);
}

function held(owner: Address, data: ReadonlyUint8Array, lamports = rentExempt(data.length)): AccountState {
  return { lamports, owner, data: new Uint8Array(data), executable: false };
}

export const CODECS = {
  reserve: solendReserveLayout,
  market: solendLendingMarketLayout,
  obligation: solendObligationLayout,
  pyth: priceUpdateV2Layout,
  switchboard: pullFeedLayout,
} as const;
