import {
  SOLEND_MAIN_MARKET,
  SOLEND_PROGRAM,
  type SolendLendingMarket,
  type SolendReserve,
  solendLendingMarketLayout,
  solendReserveLayout,
} from '@lending/programs';
import { type Address, address } from '@solana/kit';
import type { AccountBytes } from '#account.ts';

export const RESERVE: Address = address('BgxfHJDzm44T7XG68MYKx7YisTjZu73tVovyZSjJMpmw');
export const USDC: Address = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const WAD = 10n ** 18n;
const emptyReserve = solendReserveLayout.decode(new Uint8Array(solendReserveLayout.fixedSize));
const emptyMarket = solendLendingMarketLayout.decode(new Uint8Array(solendLendingMarketLayout.fixedSize));

type Fields<T> = { readonly [TKey in keyof T]?: T[TKey] };

/** The reserve of vector S1, refreshed at slot 1,000: 80 million of 100 million lent, 50,000 of them the protocol's fees. */
export function madeReserve(
  fields: Fields<Omit<SolendReserve, 'liquidity' | 'config' | 'collateral'>> & {
    readonly liquidity?: Fields<SolendReserve['liquidity']>;
    readonly config?: Fields<SolendReserve['config']>;
    readonly collateral?: Fields<SolendReserve['collateral']>;
  } = {},
): SolendReserve {
  return {
    ...emptyReserve,
    version: 1,
    lastUpdate: { slot: 1000n, stale: 0 },
    lendingMarket: SOLEND_MAIN_MARKET,
    accumulatedProtocolFeesWads: 50_000_000_000n * WAD,
    maxUtilizationRate: 95,
    superMaxBorrowRate: 300n,
    smoothedMarketPrice: WAD,
    attributedBorrowLimitOpen: 1_000_000n,
    ...fields,
    liquidity: {
      ...emptyReserve.liquidity,
      mintPubkey: USDC,
      mintDecimals: 6,
      availableAmount: 20_000_000_000_000n,
      borrowedAmountWads: 80_000_000_000_000n * WAD,
      cumulativeBorrowRateWads: WAD,
      marketPrice: WAD,
      ...fields.liquidity,
    },
    collateral: { ...emptyReserve.collateral, mintTotalSupply: 90_000_000_000_000n, ...fields.collateral },
    config: {
      ...emptyReserve.config,
      optimalUtilizationRate: 80,
      optimalBorrowRate: 8,
      maxBorrowRate: 50,
      protocolTakeRate: 20,
      depositLimit: 200_000_000_000_000n,
      borrowLimit: 150_000_000_000_000n,
      ...fields.config,
    },
  };
}

/** A market without a limit on what leaves. */
export function madeMarket(fields: Fields<SolendLendingMarket> = {}): SolendLendingMarket {
  return { ...emptyMarket, version: 1, ...fields };
}

export function reserveAccount(reserve: SolendReserve, at: Address = RESERVE): AccountBytes {
  return { address: at, owner: SOLEND_PROGRAM, data: Uint8Array.from(solendReserveLayout.encode(reserve)) };
}

export function marketAccount(market: SolendLendingMarket, at: Address = SOLEND_MAIN_MARKET): AccountBytes {
  return { address: at, owner: SOLEND_PROGRAM, data: Uint8Array.from(solendLendingMarketLayout.encode(market)) };
}
