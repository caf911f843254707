import {
  SOLEND_MAIN_MARKET,
  SOLEND_PROGRAM,
  type SolendLendingMarket,
  type SolendReserve,
  solendLendingMarketLayout,
  solendReserveLayout,
} from '@lending/programs';
import { bytesOf, zeroOf } from '@lending/programs/testing/made-accounts.ts';
import { type Address, address } from '@solana/kit';
import type { AccountBytes } from '#account.ts';

export const RESERVE: Address = address('BgxfHJDzm44T7XG68MYKx7YisTjZu73tVovyZSjJMpmw');
export const USDC: Address = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const WAD = 10n ** 18n;
const emptyReserve = zeroOf(solendReserveLayout);
const emptyMarket = zeroOf(solendLendingMarketLayout);

/** The reserve of vector S1, refreshed at slot 1,000: 80 million of 100 million lent, 50,000 of them the protocol's fees. */
export function madeReserve(
  fields: Partial<Omit<SolendReserve, 'liquidity' | 'config' | 'collateral'>> & {
    readonly liquidity?: Partial<SolendReserve['liquidity']>;
    readonly config?: Partial<SolendReserve['config']>;
    readonly collateral?: Partial<SolendReserve['collateral']>;
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
export function madeMarket(fields: Partial<SolendLendingMarket> = {}): SolendLendingMarket {
  return { ...emptyMarket, version: 1, ...fields };
}

export function reserveAccount(reserve: SolendReserve, at: Address = RESERVE): AccountBytes {
  return { address: at, owner: SOLEND_PROGRAM, data: bytesOf(solendReserveLayout, reserve) };
}

export function marketAccount(market: SolendLendingMarket, at: Address = SOLEND_MAIN_MARKET): AccountBytes {
  return { address: at, owner: SOLEND_PROGRAM, data: bytesOf(solendLendingMarketLayout, market) };
}
