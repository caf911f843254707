import { KAMINO_RESERVES } from '@lending/localnet';
import {
  encodeInstruction,
  findKlendMarketAuthority,
  findKlendObligation,
  findKlendUserMetadata,
  INSTRUCTIONS_SYSVAR,
  KAMINO_FARMS_PROGRAM,
  KLEND_PROGRAM,
  type KlendMarket,
  type KlendReserve,
  klendDepositReserveLiquidityAndObligationCollateralV2,
  klendInitObligation,
  klendInitUserMetadata,
  klendMarketLayout,
  klendObligationLayout,
  klendRefreshObligation,
  klendRefreshReservesBatch,
  klendReserveLayout,
  klendWithdrawObligationCollateralAndRedeemReserveCollateralV2,
  mintLayout,
  NO_KEY,
  RENT_SYSVAR,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  tokenAccountLayout,
} from '@lending/programs';
import { AccountRole, type Address } from '@solana/kit';
import { PAYER } from '../real-program/addresses.ts';
import type { Chain } from '../real-program/chain.ts';
import { agreedAmount } from './kamino-bridge.ts';
import { WITHOUT_FEEDS, WITHOUT_REFRESH_TRIGGER } from './kamino-older-forms.ts';
import {
  type Call,
  customerCalls,
  type Fields,
  holdingsOf,
  type Named,
  SLOTS_PER_SECOND,
  START_TIME,
  type Step,
  set,
  startOf,
  U64_MAX,
  USERS,
  type User,
  walletOf,
} from './venue.ts';

export type ReserveName = 'usd' | 'sol' | 'new';
/** Plain terms; a host's fee and windows; receipts worth one token, for nothing is in it. */
export const RESERVES: Named<ReserveName> = { usd: reserveOf('USDC'), sol: reserveOf('SOL'), new: reserveOf('USDT') };
export const NAMES = ['usd', 'sol', 'new'] as const;
export const UNIT: Readonly<Record<ReserveName, bigint>> = { usd: 10n ** 6n, sol: 10n ** 9n, new: 10n ** 6n };
export const SF = 1n << 60n;
export const DAY = 86_400n;

/** The first of the token, which is in the main market. */
function reserveOf(token: string) {
  const found = KAMINO_RESERVES.find((each) => each.token === token);
  if (found === undefined) throw new TypeError(`Kamino has no reserve of ${token}`);
  return found;
}

/** Kamino's main market. */
export const MARKET = '7u3HeHxYDLhnCoErrtycNokbQYbWGzLs6JSDqGAv5PfF' as Address;
const [AUTHORITY] = await findKlendMarketAuthority(MARKET);
const SEEDS = { tag: 0, id: 0, seed1: NO_KEY, seed2: NO_KEY, market: MARKET };

/** What klend derives for an owner. */
const OWNED = new Map(
  await Promise.all(
    USERS.map(async (user) => {
      const owner = walletOf(user);
      const [metadata] = await findKlendUserMetadata(owner);
      const [obligation] = await findKlendObligation({ ...SEEDS, owner });
      return [user, { metadata, obligation }] as const;
    }),
  ),
);

export function ownedBy(user: User): { readonly metadata: Address; readonly obligation: Address } {
  const owned = OWNED.get(user);
  if (owned === undefined) throw new TypeError(`There is no ${user}`);
  return owned;
}

export function poolOf(chain: Chain, reserve: ReserveName): KlendReserve {
  return klendReserveLayout.decode(chain.data(RESERVES[reserve].address));
}

const { refresh, ...customer } = customerCalls('kamino', RESERVES);

export { refresh };

/** A customer's call of an amount that the public program and today's take alike. */
const agreed =
  (kind: 'supply' | 'redeem') =>
  (user: User, reserve: ReserveName, amount: bigint): Call => ({
    text: `${user} ${kind} ${amount} ${reserve}`,
    on: (chain) =>
      customer[kind](
        user,
        reserve,
        agreedAmount(chain, {
          isDeposit: kind === 'supply',
          reserve: RESERVES[reserve].address,
          obligation: null,
          amount,
        }),
      ).on(chain),
  });
export const supply = agreed('supply');
/** Of an amount that the public program would take otherwise. */
export const supplyUnbridged = customer.supply;
export const redeem = agreed('redeem');

export const initMetadata = (user: User): Call => ({
  text: `klend hears of ${user}`,
  on: () => {
    const accounts = { owner: walletOf(user), feePayer: PAYER, userMetadata: ownedBy(user).metadata };
    const rest = { referrerUserMetadata: null, rent: RENT_SYSVAR, systemProgram: SYSTEM_PROGRAM };
    const args = { userLookupTable: MARKET };
    return [encodeInstruction(klendInitUserMetadata, KLEND_PROGRAM, { ...accounts, ...rest }, args)];
  },
});

/** @param known whose metadata is given. */
export const initObligation = (user: User, known = user): Call => ({
  text: `${user} opens an obligation`,
  on: () => {
    const accounts = {
      ...{ obligationOwner: walletOf(user), feePayer: PAYER, obligation: ownedBy(user).obligation },
      ...{ lendingMarket: MARKET, seed1Account: NO_KEY, seed2Account: NO_KEY },
      ...{ ownerUserMetadata: ownedBy(known).metadata, rent: RENT_SYSVAR, systemProgram: SYSTEM_PROGRAM },
    };
    return [encodeInstruction(klendInitObligation, KLEND_PROGRAM, accounts, { args: { tag: 0, id: 0 } })];
  },
});

export const refreshBatch = (...reserves: readonly ReserveName[]): Call => ({
  text: `refresh ${reserves.join(' and ')} in a batch`,
  on: () => {
    const pairs = reserves.flatMap((reserve) => [
      { address: RESERVES[reserve].address, role: AccountRole.WRITABLE },
      { address: MARKET, role: AccountRole.READONLY },
    ]);
    return [encodeInstruction(klendRefreshReservesBatch, KLEND_PROGRAM, {}, { skipPriceUpdates: true }, pairs)];
  },
});

/** @param reserves those of the obligation where none are named. */
export const refreshObligation = (
  user: User,
  reserves?: readonly ReserveName[],
  role = AccountRole.WRITABLE,
): Call => ({
  text: `refresh what ${user} has`,
  on: (chain) => {
    const named = reserves?.map((reserve) => RESERVES[reserve].address) ?? depositedReserves(chain, user);
    const accounts = { lendingMarket: MARKET, obligation: ownedBy(user).obligation };
    const metas = named.map((address) => ({ address, role }));
    return [encodeInstruction(klendRefreshObligation, KLEND_PROGRAM, accounts, {}, metas)];
  },
});

function depositedReserves(chain: Chain, user: User): readonly Address[] {
  const state = chain.account(ownedBy(user).obligation);
  if (state === undefined || state.data.length === 0) return [];
  const { deposits } = klendObligationLayout.decode(state.data);
  return deposits.map(({ depositReserve }) => depositReserve).filter((reserve) => reserve !== NO_KEY);
}

/** Puts tokens under the user's obligation, after all that klend wants refreshed before: the other reserves, its own, the obligation. */
export const deposit = moved('deposit');
/** Takes receipts out of the user's obligation, and tokens for them, likewise. */
export const withdraw = moved('withdraw');

function moved(kind: 'deposit' | 'withdraw') {
  return (user: User, reserve: ReserveName, amount: bigint): Call => ({
    text: `${user} ${kind} ${amount} ${reserve}`,
    on: (chain) => {
      const others = NAMES.filter((name) => name !== reserve);
      const refreshes = [...others.map(refresh), refresh(reserve), refreshObligation(user)];
      const before = refreshes.flatMap((call) => call.on(chain));
      return [...before, ...bare(kind, user, reserve, amount).on(chain)];
    },
  });
}

/** The deposit or the withdrawal alone. */
export const bare = (kind: 'deposit' | 'withdraw', user: User, reserve: ReserveName, given: bigint): Call => ({
  text: `${user} ${kind} ${given} ${reserve} without refreshes`,
  on: (chain) => {
    const { address } = RESERVES[reserve];
    const { obligation } = ownedBy(user);
    const amount = agreedAmount(chain, { isDeposit: kind === 'deposit', reserve: address, obligation, amount: given });
    const { liquidity, collateral } = poolOf(chain, reserve);
    const { tokens } = holdingsOf(user, RESERVES[reserve], collateral.mintPubkey);
    const shared = {
      ...{ owner: walletOf(user), obligation },
      ...{ lendingMarket: MARKET, lendingMarketAuthority: AUTHORITY },
      ...{ reserveLiquidityMint: liquidity.mintPubkey, reserveLiquiditySupply: liquidity.supplyVault },
      reserveCollateralMint: collateral.mintPubkey,
      placeholderUserDestinationCollateral: null,
      ...{ collateralTokenProgram: TOKEN_PROGRAM, liquidityTokenProgram: TOKEN_PROGRAM },
      ...{ instructionSysvarAccount: INSTRUCTIONS_SYSVAR, farmsProgram: KAMINO_FARMS_PROGRAM },
      ...{ obligationFarmUserState: null, reserveFarmState: null },
    };
    if (kind === 'deposit') {
      const layout = klendDepositReserveLiquidityAndObligationCollateralV2;
      const into = { reserve: address, reserveDestinationDepositCollateral: collateral.supplyVault };
      const accounts = { ...shared, ...into, userSourceLiquidity: tokens };
      return [encodeInstruction(layout, KLEND_PROGRAM, accounts, { liquidityAmount: amount })];
    }
    const layout = klendWithdrawObligationCollateralAndRedeemReserveCollateralV2;
    const outOf = { withdrawReserve: address, reserveSourceCollateral: collateral.supplyVault };
    const accounts = { ...shared, ...outOf, userDestinationLiquidity: tokens };
    return [encodeInstruction(layout, KLEND_PROGRAM, accounts, { collateralAmount: amount })];
  },
});

export const setReserve = (
  reserve: ReserveName,
  fields: Fields<KlendReserve> | ((state: KlendReserve) => Fields<KlendReserve>),
): Step => set(RESERVES[reserve].address, klendReserveLayout, fields);
export const setMarket = (fields: Fields<KlendMarket>): Step => set(MARKET, klendMarketLayout, fields);
/** What a reserve's vault holds. */
export const setVault = (reserve: ReserveName, amount: bigint): Step => ({
  text: `the vault of ${reserve} holds ${amount}`,
  change: (chain) => set(poolOf(chain, reserve).liquidity.supplyVault, tokenAccountLayout, { amount }).change(chain),
});

/** A day's window for withdrawals. */
export const window = (fields: Fields<KlendReserve['config']['depositWithdrawalCap']>): Fields<KlendReserve> => ({
  config: {
    depositWithdrawalCap: {
      configCapacity: 10n ** 15n,
      currentTotal: 0n,
      lastIntervalStartTimestamp: START_TIME - 1_000n,
      configIntervalLengthSeconds: DAY,
      ...fields,
    },
  },
});

const CURVE: readonly (readonly [number, number])[] = [
  [0, 10],
  [6_000, 500],
  [8_000, 900],
  [9_000, 2_500],
];

/** A market with three reserves, the first two in use. Prices are let be for a day: the public program reads no feed of today. */
export const START = await startOf(
  Object.values(RESERVES),
  { USDC: 30_000_000n * 10n ** 6n, SOL: 30_000_000n * 10n ** 9n, USDT: 30_000_000n * 10n ** 6n },
  [
    setMarket({
      ...WITHOUT_REFRESH_TRIGGER,
      referralFeeBps: 1_500,
      globalAllowedBorrowValue: 45_000_000n,
      minValueSkipLiquidationLtvChecks: 3n,
      minNetValueInObligationSf: SF / 1_000_000n,
    }),
    ...NAMES.flatMap(openingOf),
  ],
);

function openingOf(name: ReserveName): readonly Step[] {
  const unit = UNIT[name];
  const isNew = name === 'new';
  const isSol = name === 'sol';
  const available = isNew ? 0n : 5_000_000n * unit + 3n;
  const supply = isNew ? 0n : 17_654_321n * unit;
  const capOf = (configCapacity: bigint) => ({
    configCapacity,
    lastIntervalStartTimestamp: START_TIME - 1_000n,
    configIntervalLengthSeconds: isSol ? DAY : 0n,
  });
  const reserve = setReserve(name, {
    lastUpdate: { slot: START_TIME * SLOTS_PER_SECOND - 1_000n, stale: 1 },
    liquidity: {
      totalAvailableAmount: available,
      borrowedAmountSf: isNew ? 0n : 15_000_000n * unit * SF + 987_654_321n,
      marketPriceLastUpdatedTs: START_TIME - 10n,
      cumulativeBorrowRateBsf: { value: [isSol ? U64_MAX - 5n : SF + 12_345n, isSol ? 7n : 0n, 0n, 0n] },
      accumulatedProtocolFeesSf: isNew ? 0n : 12_345n * unit * SF + 5n,
      accumulatedReferrerFeesSf: isSol ? 99n * unit * SF : 0n,
      pendingReferrerFeesSf: isSol ? 55n * unit * SF + 1n : 0n,
    },
    collateral: { mintTotalSupply: supply },
    config: {
      ...WITHOUT_FEEDS.config,
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
      depositLimit: 40_000_000n * unit,
      borrowLimit: 30_000_000n * unit,
      depositWithdrawalCap: capOf(1_000_000n * unit),
      debtWithdrawalCap: capOf(1_000_000n * unit),
    },
  });
  const change = (chain: Chain) => {
    const { collateral } = poolOf(chain, name);
    set(collateral.mintPubkey, mintLayout, { supply }).change(chain);
    set(collateral.supplyVault, tokenAccountLayout, { amount: supply }).change(chain);
  };
  // Somebody once sent the vault tokens that the reserve does not count.
  return [reserve, setVault(name, available + 777n), { text: `receipts of ${name}`, change }];
}
