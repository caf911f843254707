import { SOLEND_RESERVES } from '@lending/localnet';
import {
  depositSolendLiquidityAndCollateral,
  encodeInstruction,
  findSolendMarketAuthority,
  initSolendObligation,
  SOLEND_MAIN_MARKET as MARKET,
  mintLayout,
  priceUpdateV2Layout,
  pullFeedLayout,
  RENT_SYSVAR,
  refreshSolendObligation,
  SOLEND_NULL_ORACLE,
  SOLEND_PROGRAM,
  type SolendLendingMarket,
  type SolendReserve,
  solendLendingMarketLayout,
  solendObligationLayout,
  solendReserveLayout,
  TOKEN_PROGRAM,
  tokenAccountLayout,
  withdrawSolendCollateralAndRedeem,
} from '@lending/programs';
import { type AccountMeta, AccountRole, type Address } from '@solana/kit';
import { labelled } from '../real-program/addresses.ts';
import { type Chain, rentExempt } from '../real-program/chain.ts';
import {
  type Call,
  type Change,
  customerCalls,
  type Fields,
  holdingsOf,
  type Named,
  SLOTS_PER_SECOND,
  type Step,
  send,
  set,
  startOf,
  time,
  USERS,
  type User,
  walletOf,
} from './venue.ts';

/** Of the program, those that the model knows. @see solana-program-library (Solend's) token-lending/sdk/src/error.rs */
export const ERRORS = {
  InstructionUnpackError: 0,
  AlreadyInitialized: 1,
  InvalidAccountOwner: 5,
  InvalidTokenProgram: 9,
  InvalidAmount: 10,
  InvalidSigner: 12,
  InvalidAccountInput: 13,
  MathOverflow: 14,
  InsufficientLiquidity: 20,
  ReserveStale: 22,
  WithdrawTooLarge: 24,
  ObligationReserveLimit: 31,
  InvalidObligationOwner: 32,
  ObligationDepositsEmpty: 33,
  InvalidObligationCollateral: 37,
  InvalidOracleConfig: 42,
  OutflowRateLimitExceeded: 54,
  BorrowAttributionLimitExceeded: 57,
} as const;

/** Priced by Pyth; by Switchboard; and one with terms that an older program left, whose debts weigh more. */
export const RESERVES: Named<ReserveName> = { usd: reserveOf('USDC'), sol: reserveOf('SOL'), alt: reserveOf('USDT') };
export type ReserveName = 'usd' | 'sol' | 'alt';
export const NAMES = ['usd', 'sol', 'alt'] as const;
export const UNIT: Readonly<Record<ReserveName, bigint>> = { usd: 10n ** 6n, sol: 10n ** 9n, alt: 10n ** 6n };
export const WAD = 10n ** 18n;
export const [AUTHORITY] = await findSolendMarketAuthority(MARKET);
export { MARKET };

function reserveOf(token: string) {
  const found = SOLEND_RESERVES.find((each) => each.token === token);
  if (found === undefined) throw new TypeError(`Save has no reserve of ${token}`);
  return found;
}

export const obligationOf = (user: User): Address => labelled(`solend obligation ${user}`);
export const { supply, redeem, refresh } = customerCalls('solend', RESERVES);

export const init = (user: User): Call => ({
  text: `${user} opens an obligation`,
  on: () => [
    encodeInstruction(
      initSolendObligation,
      SOLEND_PROGRAM,
      {
        obligation: obligationOf(user),
        lendingMarket: MARKET,
        obligationOwner: walletOf(user),
        rent: RENT_SYSVAR,
        tokenProgram: TOKEN_PROGRAM,
      },
      {},
    ),
  ],
});

export const refreshObligation = (user: User): Call => ({
  text: `refresh what ${user} has`,
  on: (chain) => [
    encodeInstruction(
      refreshSolendObligation,
      SOLEND_PROGRAM,
      { obligation: obligationOf(user) },
      {},
      depositsOf(chain, user),
    ),
  ],
});

/** Puts tokens under the user's obligation. */
export const deposit = (user: User, reserve: ReserveName, amount: bigint): Call => ({
  text: `${user} deposit ${amount} ${reserve}`,
  on: (chain) => {
    const { pool, accounts } = moveAccounts(chain, user, reserve);
    const { pythOracle, switchboardOracle } = pool.liquidity;
    const route = { destinationCollateral: pool.collateral.supplyPubkey, pythOracle, switchboardOracle };
    const named = { ...accounts, ...route, sourceLiquidity: accounts.userLiquidity };
    return [encodeInstruction(depositSolendLiquidityAndCollateral, SOLEND_PROGRAM, named, { liquidityAmount: amount })];
  },
});

/** Takes receipts out of the user's obligation, and tokens for them. */
export const withdraw = (user: User, reserve: ReserveName, amount: bigint): Call => ({
  text: `${user} withdraw ${amount} ${reserve}`,
  on: (chain) => {
    const { pool, accounts } = moveAccounts(chain, user, reserve);
    const named = { ...accounts, reserveCollateral: pool.collateral.supplyPubkey };
    const args = { collateralAmount: amount };
    return [encodeInstruction(withdrawSolendCollateralAndRedeem, SOLEND_PROGRAM, named, args, depositsOf(chain, user))];
  },
});

/** What all that moves a reserve's tokens names, loans too. */
export function moveAccounts(chain: Chain, user: User, name: ReserveName) {
  const pool = poolOf(chain, name);
  const { tokens, receipts } = holdingsOf(user, RESERVES[name], pool.collateral.mintPubkey);
  const wallet = walletOf(user);
  const accounts = {
    lendingMarket: MARKET,
    lendingMarketAuthority: AUTHORITY,
    reserve: RESERVES[name].address,
    reserveLiquiditySupply: pool.liquidity.supplyPubkey,
    reserveCollateralMint: pool.collateral.mintPubkey,
    userLiquidity: tokens,
    userCollateral: receipts,
    userTransferAuthority: wallet,
    obligation: obligationOf(user),
    obligationOwner: wallet,
    tokenProgram: TOKEN_PROGRAM,
  };
  return { pool, accounts };
}

export function poolOf(chain: Chain, name: ReserveName): SolendReserve {
  return solendReserveLayout.decode(chain.data(RESERVES[name].address));
}

/** The reserves of an obligation, as its refresh and its owner name them. */
export function depositsOf(chain: Chain, user: User): readonly AccountMeta[] {
  const { deposits } = solendObligationLayout.decode(chain.data(obligationOf(user)));
  return deposits.map(({ depositReserve }) => ({ address: depositReserve, role: AccountRole.WRITABLE }));
}

export const setReserve = (
  reserve: ReserveName,
  fields: Fields<SolendReserve> | ((state: SolendReserve) => Fields<SolendReserve>),
): Step => set(RESERVES[reserve].address, solendReserveLayout, fields);
export const setMarket = (fields: Fields<SolendLendingMarket>): Step => set(MARKET, solendLendingMarketLayout, fields);

/** What may leave in a window of slots. */
export const limiter = (maxOutflow: bigint, windowDuration = 1_000n) => ({
  maxOutflow,
  windowDuration,
  previousQuantity: 0n,
  windowStart: 0n,
  currentQuantity: 0n,
});

export interface Published {
  /** USD with 8 decimals; the same again where none is given. */
  readonly price?: bigint;
  readonly unsure?: boolean;
  /** Of Pyth's alone. */
  readonly exponent?: number;
}

/** A price of a reserve's first oracle, at the chain's time. */
export const publish = (reserve: ReserveName, { price, unsure = false, exponent = -8 }: Published = {}): Step => ({
  text: `${reserve} costs ${price ?? 'the same'}${unsure ? ', or so' : ''}`,
  change: (chain) => {
    const { pythOracle, switchboardOracle } = poolOf(chain, reserve).liquidity;
    const { unixTimestamp } = chain;
    if (pythOracle === SOLEND_NULL_ORACLE) {
      publishOnSwitchboard(switchboardOracle, { price, unsure }).change(chain);
      set(switchboardOracle, pullFeedLayout, { result: { slot: unixTimestamp * SLOTS_PER_SECOND } }).change(chain);
    } else {
      publishOnPyth(pythOracle, { price, unsure, exponent }).change(chain);
      set(pythOracle, priceUpdateV2Layout, { priceMessage: { publishTime: unixTimestamp } }).change(chain);
    }
  },
});

type Made = Required<Pick<Published, 'unsure'>> & { readonly price: bigint | undefined };

function publishOnPyth(feed: Address, { price, unsure, exponent }: Made & { readonly exponent: number }): Change {
  return set(feed, priceUpdateV2Layout, ({ priceMessage }) => {
    const published = price ?? priceMessage.price;
    const conf = unsure ? published / 10n + 1n : published / 1_000n;
    return {
      priceMessage: { price: published, conf, emaPrice: (published * 3n + priceMessage.emaPrice) / 4n, exponent },
    };
  });
}

function publishOnSwitchboard(feed: Address, { price, unsure }: Made): Change {
  return set(feed, pullFeedLayout, ({ result }) => {
    const value = price === undefined ? result.value : price * 10n ** 10n;
    return { result: { value, range: unsure ? value / 10n + 1n : value / 500n } };
  });
}

/** Everything that can be refreshed, in the order that works. */
export const refreshAll = (...users: readonly User[]): Step =>
  send(...NAMES.map(refresh), ...users.map(refreshObligation));
export const publishAll: readonly Step[] = NAMES.map((reserve) => publish(reserve));
/** Time passes, prices are published, and all there is is refreshed. */
export const later = (seconds: bigint, ...users: readonly User[]): readonly Step[] => [
  time(seconds),
  ...publishAll,
  refreshAll(...users),
];

/** Reserves that are half lent, since some slots before the beginning, and obligations that are not set up yet. */
export const START = await startOf(Object.values(RESERVES), { USDC: 10n ** 13n, SOL: 10n ** 16n, USDT: 10n ** 13n }, [
  // Bytes that nobody reads must stay what they are.
  setMarket({
    rateLimiter: limiter(0n, 0n),
    quoteCurrency: new Uint8Array(32).fill(7),
    _padding: new Uint8Array(8).fill(9),
  }),
  ...NAMES.flatMap(openingOf),
  ...USERS.map(placeObligation),
  ...publishAll,
]);

function openingOf(name: ReserveName): readonly Step[] {
  const unit = UNIT[name];
  const isOld = name === 'alt';
  const reserve = setReserve(name, ({ lastUpdate }) => ({
    lastUpdate: { slot: lastUpdate.slot - 1_000n },
    liquidity: {
      availableAmount: 5_000_000n * unit,
      borrowedAmountWads: 5_000_000n * unit * WAD + 123_456_789n,
      cumulativeBorrowRateWads: 1_234_567_890_123_456_789n,
    },
    collateral: { mintTotalSupply: 9_000_000n * unit },
    config: {
      optimalUtilizationRate: 60,
      minBorrowRate: 1,
      optimalBorrowRate: 5,
      maxBorrowRate: 30,
      fees: { hostFeePercentage: name === 'sol' ? 0 : 20 },
      depositLimit: 50_000_000n * unit,
      borrowLimit: 40_000_000n * unit,
    },
    accumulatedProtocolFeesWads: 1_000n * unit * WAD + 5n,
    rateLimiter: limiter(0n, 0n),
    maxUtilizationRate: isOld ? 0 : 85,
    superMaxBorrowRate: isOld ? 0n : 150n,
    maxLiquidationBonus: isOld ? 0 : 5,
    maxLiquidationThreshold: isOld ? 0 : 79,
    addedBorrowWeightBps: isOld ? 2_000n : 0n,
    _padding: new Uint8Array(49).fill(3),
  }));
  const change = (chain: Chain) => {
    const { liquidity, collateral } = poolOf(chain, name);
    const { availableAmount: amount, supplyPubkey } = liquidity;
    set(supplyPubkey, tokenAccountLayout, { amount }).change(chain);
    set(collateral.mintPubkey, mintLayout, { supply: collateral.mintTotalSupply }).change(chain);
    set(collateral.supplyPubkey, tokenAccountLayout, { amount: 0n }).change(chain);
  };
  return [reserve, { text: `${name} has what its reserve counts`, change }];
}

function placeObligation(user: User): Step {
  const data = new Uint8Array(solendObligationLayout.fixedSize);
  const account = { lamports: rentExempt(data.length), owner: SOLEND_PROGRAM, data, executable: false };
  return {
    text: `${user} has room for an obligation`,
    change: (chain) => chain.setAccount(obligationOf(user), account),
  };
}

const openingPool = (name: ReserveName) =>
  solendReserveLayout.decode(START.accounts.get(RESERVES[name].address)?.data ?? new Uint8Array());

/** Accounts of a reserve, and its oracles. */
export function poolAccounts(name: ReserveName) {
  const { liquidity, collateral } = openingPool(name);
  return {
    liquiditySupply: liquidity.supplyPubkey,
    pythOracle: liquidity.pythOracle,
    switchboardOracle: liquidity.switchboardOracle,
    collateralMint: collateral.mintPubkey,
    collateralSupply: collateral.supplyPubkey,
  };
}

export function heldBy(user: User, name: ReserveName) {
  return holdingsOf(user, RESERVES[name], poolAccounts(name).collateralMint);
}
