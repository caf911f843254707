import { createRequire, registerHooks } from 'node:module';

const require = createRequire(import.meta.url);

/**
 * Packages that the venues' SDKs name and their rates do not use: order books, swaps, streams, stake pools, wallets' token lists. They are
 * 600 MB and are left out of the install (`overrides` in lab/parity/package.json puts an empty package in their place), one of them
 * because it is only to be had from a git server.
 */
const LEFT_OUT = [
  '@kamino-finance/farms-sdk',
  '@kamino-finance/kliquidity-sdk',
  '@kamino-finance/scope-sdk',
  '@solana-program/address-lookup-table',
  '@solana-program/compute-budget',
  '@solana-program/memo',
  '@solana/spl-stake-pool',
  '@switchboard-xyz/sbv2-lite',
];
const NOTHING = 'sdk:nothing';
/** Whatever is asked of it is nothing again. An SDK that computed with it would fail. */
const SOURCE = `
  const nothing = new Proxy(function () {}, { get: (_target, key) => (typeof key === 'string' ? nothing : undefined) });
  module.exports = nothing;
`;

/**
 * Loads a file of an official SDK with nothing in the place of the packages that are left out. It is handed a `require`, so that tools find
 * the package's name where it is used.
 */
export function loadSdk<T>(load: (require: NodeJS.Require) => T): T {
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      isLeftOut(specifier) ? { url: NOTHING, format: 'commonjs', shortCircuit: true } : next(specifier, context),
    load: (url, context, next) =>
      url === NOTHING ? { format: 'commonjs', source: SOURCE, shortCircuit: true } : next(url, context),
  });
  try {
    return load(require);
  } finally {
    hooks.deregister();
  }
}

function isLeftOut(specifier: string): boolean {
  return LEFT_OUT.some((name) => specifier === name || specifier.startsWith(`${name}/`));
}

/** The SDK's big integers; only their text is of interest. */
interface Integer {
  toString(): string;
}
type Market = Readonly<Record<string, Integer>> & { readonly lastInterestTs: Integer; readonly lastTwapTs: Integer };
type IntegerClass = new (text: string) => Integer;

interface SpotBalanceMath {
  getTokenAmount(balance: unknown, market: Market, type: object): Integer;
  calculateUtilization(market: Market): Integer;
  calculateBorrowRate(market: Market): Integer;
  calculateDepositRate(market: Market): Integer;
  calculateInterestAccumulated(market: Market, now: Integer): { borrowInterest: Integer; depositInterest: Integer };
  calculateWithdrawLimit(
    market: Market,
    now: Integer,
  ): { withdrawLimit: Integer; borrowLimit: Integer; minDepositAmount: Integer; maxBorrowAmount: Integer };
}
interface Anchor {
  readonly BN: IntegerClass;
  readonly BorshAccountsCoder: new (idl: object) => { decode(name: string, data: Buffer): Market };
}

const { math, anchor, idl } = loadSdk((require) => ({
  math: require('@drift-labs/sdk/lib/node/math/spotBalance') as SpotBalanceMath,
  // The SDK's own anchor, which is older than ours.
  anchor: createRequire(require.resolve('@drift-labs/sdk/lib/node/math/spotBalance'))('@coral-xyz/anchor') as Anchor,
  idl: require('@drift-labs/sdk/lib/node/idl/drift.json') as object,
}));
const { BN, BorshAccountsCoder } = anchor;
const coder = new BorshAccountsCoder(idl);

/** What `@drift-labs/sdk` makes of a spot market's bytes: base units, millionths, and units of the indices. */
export function officialDrift(data: Uint8Array) {
  const market = coder.decode('SpotMarket', Buffer.from(data));
  const now = (after: bigint) => new BN(`${BigInt(market.lastInterestTs.toString()) + after}`);
  const limits = math.calculateWithdrawLimit(market, new BN(market.lastTwapTs.toString()));
  return {
    deposits: integer(math.getTokenAmount(market.depositBalance, market, { deposit: {} })),
    borrows: integer(math.getTokenAmount(market.borrowBalance, market, { borrow: {} })),
    utilization: integer(math.calculateUtilization(market)),
    borrowRate: integer(math.calculateBorrowRate(market)),
    depositRate: integer(math.calculateDepositRate(market)),
    withdrawRoom: integer(limits.withdrawLimit),
    borrowRoom: integer(limits.borrowLimit),
    /** What the indices grow by in so many seconds, before the insurance fund's share. */
    interestAfter(seconds: bigint) {
      const { borrowInterest, depositInterest } = math.calculateInterestAccumulated(market, now(seconds));
      return { borrowInterest: integer(borrowInterest), depositInterest: integer(depositInterest) };
    },
  };
}

function integer(value: Integer): bigint {
  return BigInt(value.toString());
}

/** The SDK's exact decimals; only their text is of interest. */
interface Decimal {
  toFixed(): string;
}
interface State {
  readonly lastUpdate: { readonly slot: { toString(): string } };
}
interface Reserve {
  stats: object;
  getTotalSupply(): Decimal;
  getBorrowedAmount(): Decimal;
  getEstimatedTotalSupply(slot: bigint, referralFeeBps: number): Decimal;
  getEstimatedDebtAndSupply(slot: bigint, referralFeeBps: number): { totalBorrow: Decimal };
  getCollateralExchangeRate(): Decimal;
  getDepositWithdrawalCapCapacity(): Decimal;
  getDepositWithdrawalCapCurrent(unixTimestamp: number): Decimal;
  getLiquidityAvailableForDebtReserveGivenCaps(market: object, elevationGroups: readonly number[]): readonly Decimal[];
  calculateUtilizationRatio(): number;
  calculateBorrowAPR(slot: bigint, referralFeeBps: number): number;
  calculateBorrowAPRFixedRate(): number;
  calculateSupplyAPR(slot: bigint, referralFeeBps: number): number;
  totalBorrowAPY(slot: bigint): number;
  totalSupplyAPY(slot: bigint): number;
}
interface ReserveCodec {
  decode(data: Buffer): State;
}
type ReserveClass = new (state: State, address: string, price: undefined, rpc: undefined, slotMs: number) => Reserve;

const { KaminoReserve, codec } = loadSdk((require) => {
  const { KaminoReserve } = require('@kamino-finance/klend-sdk/dist/classes/reserve') as {
    KaminoReserve: ReserveClass;
  };
  const { Reserve } = require('@kamino-finance/klend-sdk/dist/@codegen/klend/accounts/Reserve') as {
    Reserve: ReserveCodec;
  };
  return { KaminoReserve, codec: Reserve };
});

interface KaminoRead {
  readonly slotMs: number;
  readonly unixTimestamp: bigint;
}

/** What `@kamino-finance/klend-sdk` makes of a reserve's bytes, at its own last update. Amounts are base units as decimal text. */
export function officialKamino(data: Uint8Array, { slotMs, unixTimestamp }: KaminoRead) {
  const state = codec.decode(Buffer.from(data));
  const reserve = new KaminoReserve(state, '', undefined, undefined, slotMs);
  reserve.stats = {};
  const slot = BigInt(state.lastUpdate.slot.toString());
  const seconds = Number(unixTimestamp);
  return {
    borrowApr: reserve.calculateBorrowAPR(slot, 0),
    depositApr: reserve.calculateSupplyAPR(slot, 0),
    borrowApy: reserve.totalBorrowAPY(slot),
    depositApy: reserve.totalSupplyAPY(slot),
    utilization: reserve.calculateUtilizationRatio(),
    deposits: reserve.getTotalSupply().toFixed(),
    borrows: reserve.getBorrowedAmount().toFixed(),
    /** cTokens for one token: the other way round than ours. */
    cTokensPerToken: Number(reserve.getCollateralExchangeRate().toFixed()),
    withdrawCap: {
      capacity: reserve.getDepositWithdrawalCapCapacity().toFixed(),
      used: reserve.getDepositWithdrawalCapCurrent(seconds).toFixed(),
    },
    fixedBorrowApr: () => reserve.calculateBorrowAPRFixedRate(),
    debtAfter: (slots: bigint) => reserve.getEstimatedDebtAndSupply(slot + slots, 0).totalBorrow.toFixed(),
    /** For somebody outside elevation groups. */
    borrowRoom: reserve.getLiquidityAvailableForDebtReserveGivenCaps(NO_GROUPS, [0])[0]?.toFixed() ?? '',
  };
}

/** A market without elevation groups, as far as the SDK asks for it. */
const NO_GROUPS = {
  getMarketElevationGroupDescriptions: () => [],
  getElevationGroupsForReservesCombination: () => [],
};

interface Parsed {
  readonly pubkey: { toBase58(): string };
  readonly info: object;
}
interface Shown {
  readonly totalSupply: Decimal;
  readonly totalBorrow: Decimal;
  readonly availableAmount: Decimal;
  readonly cTokenExchangeRate: Decimal;
  readonly reserveUtilization: Decimal;
  readonly supplyInterest: Decimal;
  readonly borrowInterest: Decimal;
  readonly reserveSupplyLimit: Decimal;
  readonly reserveBorrowLimit: Decimal;
  readonly rateLimiter: { readonly remainingOutflow: Decimal | null };
}
interface Reserves {
  parseReserve(key: object, info: { readonly data: Buffer }): Parsed;
}
interface Pools {
  formatReserve(
    reserve: Parsed,
    price: undefined,
    slot: number,
    metadata: undefined,
    config: { readonly showApy: boolean; readonly avgSlotTime: number },
  ): Shown;
}

const { parseReserve, formatReserve } = loadSdk((require) => ({
  ...(require('@solendprotocol/solend-sdk/state/reserve') as Reserves),
  ...(require('@solendprotocol/solend-sdk/core/utils/pools') as Pools),
}));

/** What `@solendprotocol/solend-sdk` makes of a reserve's bytes: as its pages show them, in whole tokens. */
export function officialSave(data: Uint8Array, { slot, slotMs }: { readonly slot: bigint; readonly slotMs: number }) {
  const key = { toBase58: () => '' };
  const parsed = parseReserve(key, { data: Buffer.from(data) });
  const show = (showApy: boolean, avgSlotTime: number) =>
    formatReserve(parsed, undefined, Number(slot), undefined, { showApy, avgSlotTime });
  const aprs = show(false, slotMs / 1000);
  // Half a second a slot is where the SDK leaves rates as they are.
  const nominal = show(true, 0.5);
  return {
    borrowApr: number(aprs.borrowInterest),
    depositApr: number(aprs.supplyInterest),
    nominalBorrowApy: number(nominal.borrowInterest),
    nominalDepositApy: number(nominal.supplyInterest),
    shownDepositApy: number(show(true, slotMs / 1000).supplyInterest),
    deposits: number(aprs.totalSupply),
    borrows: number(aprs.totalBorrow),
    available: number(aprs.availableAmount),
    shownUtilization: number(aprs.reserveUtilization),
    exchangeRate: number(aprs.cTokenExchangeRate),
    depositLimit: number(aprs.reserveSupplyLimit),
    borrowLimit: number(aprs.reserveBorrowLimit),
    remainingOutflow: aprs.rateLimiter.remainingOutflow === null ? null : number(aprs.rateLimiter.remainingOutflow),
  };
}

function number(value: Decimal): number {
  return Number(value.toFixed());
}
