import {
  DRIFT_PROGRAM,
  DRIFT_STATE,
  type DriftSpotMarket,
  driftSpotMarketLayout,
  driftStateLayout,
  TOKEN_PROGRAM,
} from '@lending/programs';
import { bytesOf, madeBytes, tokenAccountBytes, zeroOf } from '@lending/programs/testing/made-accounts.ts';
import { type Address, address } from '@solana/kit';
import type { AccountBytes } from '#account.ts';

export const SPOT_MARKET: Address = address('6gMq3mRCKf8aP3ttTyYhuijVZ2LGi14oDsBbkgubfLB3');
export const SPOT_VAULT: Address = address('GXWqPpjQpdz7KZw9p7f5PX2eGxHAhvpNXiviFkAB8zXg');
const USDC: Address = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
/** When the made markets last accrued, unix seconds. */
export const LAST_INTEREST = 1_700_000_000n;

/** An active market of six decimals that lends 70 of 100 tokens, its averages the same. */
export function spotMarket(fields: Partial<DriftSpotMarket> = {}): DriftSpotMarket {
  return {
    ...zeroOf(driftSpotMarketLayout),
    ...{ pubkey: SPOT_MARKET, vault: SPOT_VAULT, mint: USDC, decimals: 6, status: 1 },
    ...{ depositBalance: 100_000_000_000n, borrowBalance: 70_000_000_000n },
    ...{ cumulativeDepositInterest: 10_000_000_000n, cumulativeBorrowInterest: 10_000_000_000n },
    ...{ optimalUtilization: 800_000, optimalBorrowRate: 50_000, maxBorrowRate: 500_000 },
    ...{ depositTokenTwap: 100_000_000n, borrowTokenTwap: 70_000_000n, utilizationTwap: 700_000n },
    ...{ lastInterestTs: LAST_INTEREST, lastTwapTs: LAST_INTEREST },
    ...fields,
  };
}

export function spotMarketAccount(fields: Partial<DriftSpotMarket> = {}): AccountBytes {
  return { address: SPOT_MARKET, owner: DRIFT_PROGRAM, data: bytesOf(driftSpotMarketLayout, spotMarket(fields)) };
}

export function spotVaultAccount(amount: bigint, at: Address = SPOT_VAULT): AccountBytes {
  return { address: at, owner: TOKEN_PROGRAM, data: tokenAccountBytes({ mint: USDC, amount }) };
}

export function exchangeAccount(exchangeStatus = 0): AccountBytes {
  return { address: DRIFT_STATE, owner: DRIFT_PROGRAM, data: madeBytes(driftStateLayout, { exchangeStatus }) };
}
