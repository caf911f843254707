import type { AccountState } from '@lending/localnet';
import {
  findKlendMarketAuthority,
  findKlendObligation,
  findKlendUserMetadata,
  KLEND_PROGRAM,
  type KlendReserve,
  klendMarketLayout,
  klendObligationLayout,
  klendReserveLayout,
  mintLayout,
  NO_KEY,
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
const SF = 1n << 60n;
const U64_MAX = 2n ** 64n - 1n;
const ALL_PRICE_CHECKS = 63;

export const MARKET = labelled('kamino market');
export const [AUTHORITY, AUTHORITY_BUMP] = await findKlendMarketAuthority(MARKET);
/** Plain terms; a host's fee, windows and a queue; receipts worth one token, for nothing is in it. */
export const RESERVES = ['usd', 'sol', 'new'] as const;
export type ReserveName = (typeof RESERVES)[number];
export const USERS = ['ann', 'bob'] as const;
export type User = (typeof USERS)[number];

export const DECIMALS: Readonly<Record<ReserveName, number>> = { usd: 6, sol: 9, new: 2 };
/** USD of a whole token, in millionths. */
const PRICES: Readonly<Record<ReserveName, bigint>> = { usd: 999_890n, sol: 150_123_456n, new: 1_230_000n };

export const FARM = labelled('kamino farm');
export const walletOf = (user: User): Address => labelled(`kamino ${user}`);

/** What klend derives for an owner. */
export const OWNED = Object.fromEntries(
  await Promise.all(
    USERS.map(async (user) => {
      const owner = walletOf(user);
      const [metadata] = await findKlendUserMetadata(owner);
      const [obligation] = await findKlendObligation({
        ...{ tag: 0, id: 0, owner, market: MARKET },
        ...{ seed1: NO_KEY, seed2: NO_KEY },
      });
      return [user, { metadata, obligation }] as const;
    }),
  ),
) as Readonly<Record<User, { readonly metadata: Address; readonly obligation: Address }>>;

/** What belongs to one reserve. */
export function poolOf(reserve: ReserveName) {
  const own = (what: string) => labelled(`kamino ${reserve} ${what}`);
  return {
    reserve: own('reserve'),
    mint: own('mint'),
    vault: own('vault'),
    feeVault: own('fee vault'),
    cTokenMint: own('cToken mint'),
    cTokenVault: own('cToken vault'),
  };
}

/** What a user holds of one reserve. */
export function holdingsOf(user: User, reserve: ReserveName) {
  return {
    tokens: labelled(`kamino ${user} ${reserve} tokens`),
    receipts: labelled(`kamino ${user} ${reserve} receipts`),
  };
}

type Placed = readonly [Address, AccountState];

/** A market with three reserves, the first two in use, and two users with tokens whom klend does not know yet. */
export function worldAccounts(): ReadonlyMap<Address, AccountState> {
  return new Map<Address, AccountState>([
    [PAYER, held(SYSTEM_PROGRAM, new Uint8Array(), 10n ** 12n)],
    [MARKET, marketAccount()],
    ...RESERVES.flatMap(reserveAccounts),
    ...USERS.flatMap(userAccounts),
  ]);
}

/** Prices are let be for a day: the ELF at hand reads feeds that nobody publishes any more. */
function marketAccount(): AccountState {
  const codec = klendMarketLayout;
  return klendAccount(
    codec.encode({
      ...codec.decode(zeros(klendMarketLayout.fixedSize, klendMarketLayout.discriminator)),
      version: 1n,
      bumpSeed: BigInt(AUTHORITY_BUMP),
      lendingMarketOwner: labelled('kamino market owner'),
      referralFeeBps: 1_500,
      priceRefreshTriggerToMaxAgePct: 100,
      globalAllowedBorrowValue: 45_000_000n,
      minValueSkipLiquidationLtvChecks: 3n,
      minNetValueInObligationSf: SF / 1_000_000n,
      name: new Uint8Array(32).fill(65),
    }),
  );
}

function reserveAccounts(name: ReserveName): Placed[] {
  const pool = poolOf(name);
  const state = reserveState(name);
  const { totalAvailableAmount } = state.liquidity;
  const supply = state.collateral.mintTotalSupply;
  return [
    [pool.reserve, klendAccount(klendReserveLayout.encode(state))],
    [pool.mint, mintAccount(labelled('kamino minter'), U64_MAX / 2n, DECIMALS[name])],
    // Somebody once sent the vault tokens that the reserve does not count.
    [pool.vault, tokenAccount(pool.mint, AUTHORITY, totalAvailableAmount + 777n)],
    [pool.feeVault, tokenAccount(pool.mint, AUTHORITY, 0n)],
    [pool.cTokenMint, mintAccount(AUTHORITY, supply, 6)],
    [pool.cTokenVault, tokenAccount(pool.cTokenMint, AUTHORITY, supply)],
  ];
}

function reserveState(name: ReserveName): KlendReserve {
  const pool = poolOf(name);
  const empty = klendReserveLayout.decode(zeros(klendReserveLayout.fixedSize, klendReserveLayout.discriminator));
  const unit = 10n ** BigInt(DECIMALS[name]);
  const isNew = name === 'new';
  const isSol = name === 'sol';
  const cap = (configCapacity: bigint) => ({
    configCapacity,
    currentTotal: 0n,
    lastIntervalStartTimestamp: START_TIME - 1_000n,
    configIntervalLengthSeconds: isSol ? 86_400n : 0n,
  });
  return {
    ...empty,
    version: 1n,
    lastUpdate: { ...empty.lastUpdate, slot: START_SLOT - 1_000n, stale: 1, priceStatus: ALL_PRICE_CHECKS },
    lendingMarket: MARKET,
    liquidity: {
      ...empty.liquidity,
      mintPubkey: pool.mint,
      supplyVault: pool.vault,
      feeVault: pool.feeVault,
      totalAvailableAmount: isNew ? 0n : 5_000_000n * unit + 3n,
      borrowedAmountSf: isNew ? 0n : 15_000_000n * unit * SF + 987_654_321n,
      marketPriceSf: (PRICES[name] * SF) / 1_000_000n,
      marketPriceLastUpdatedTs: START_TIME - 10n,
      mintDecimals: BigInt(DECIMALS[name]),
      cumulativeBorrowRateBsf: {
        ...empty.liquidity.cumulativeBorrowRateBsf,
        value: [isSol ? U64_MAX - 5n : SF + 12_345n, isSol ? 7n : 0n, 0n, 0n],
      },
      accumulatedProtocolFeesSf: isNew ? 0n : 12_345n * unit * SF + 5n,
      accumulatedReferrerFeesSf: isSol ? 99n * unit * SF : 0n,
      pendingReferrerFeesSf: isSol ? 55n * unit * SF + 1n : 0n,
      tokenProgram: TOKEN_PROGRAM,
    },
    collateral: {
      ...empty.collateral,
      mintPubkey: pool.cTokenMint,
      mintTotalSupply: isNew ? 0n : 17_654_321n * unit,
      supplyVault: pool.cTokenVault,
    },
    config: {
      ...empty.config,
      hostFixedInterestRateBps: isSol ? 150 : 0,
      protocolTakeRatePct: isSol ? 20 : 15,
      loanToValuePct: isNew ? 0 : 75,
      liquidationThresholdPct: isNew ? 0 : 80,
      borrowRateCurve: {
        points: Array.from({ length: 11 }, (_, index) => {
          const [utilizationRateBps, borrowRateBps] = CURVE[index] ?? [10_000, 15_000];
          return { utilizationRateBps, borrowRateBps };
        }),
      },
      borrowFactorPct: 100n,
      depositLimit: 40_000_000n * unit,
      borrowLimit: 30_000_000n * unit,
      tokenInfo: {
        ...empty.config.tokenInfo,
        name: new Uint8Array(32).fill(66),
        maxAgePriceSeconds: 86_400n,
      },
      depositWithdrawalCap: cap(1_000_000n * unit),
      debtWithdrawalCap: cap(1_000_000n * unit),
      borrowLimitOutsideElevationGroup: U64_MAX,
    },
  };
}

const CURVE: readonly (readonly [number, number])[] = [
  [0, 10],
  [6_000, 500],
  [8_000, 900],
  [9_000, 2_500],
];

function userAccounts(user: User): Placed[] {
  const wallet = walletOf(user);
  return [
    [wallet, held(SYSTEM_PROGRAM, new Uint8Array(), 10n ** 10n)],
    ...RESERVES.flatMap((reserve): Placed[] => {
      const { tokens, receipts } = holdingsOf(user, reserve);
      const { mint, cTokenMint } = poolOf(reserve);
      const amount = 30_000_000n * 10n ** BigInt(DECIMALS[reserve]);
      return [
        [tokens, tokenAccount(mint, wallet, amount)],
        [receipts, tokenAccount(cTokenMint, wallet, 0n)],
      ];
    }),
  ];
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

function klendAccount(data: ReadonlyUint8Array): AccountState {
  return held(KLEND_PROGRAM, data);
}

function held(owner: Address, data: ReadonlyUint8Array, lamports = rentExempt(data.length)): AccountState {
  return { lamports, owner, data: new Uint8Array(data), executable: false };
}

function zeros(size: number, discriminator: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(size);
  bytes.set(discriminator);
  return bytes;
}

export const CODECS = {
  reserve: klendReserveLayout,
  market: klendMarketLayout,
  obligation: klendObligationLayout,
} as const;
