import { createRequire } from 'node:module';
import { loadSdk } from './load-sdk.ts';

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
