import { KLEND_PROGRAM, type KlendReserve, klendMarketLayout, klendReserveLayout } from '@lending/programs';
import { bytesOf, madeBytes, oracleKeys, zeroOf } from '@lending/programs/testing/made-accounts.ts';
import type { Address } from '@solana/kit';
import { type BankFields, feedAddress, type MadeMarket, madeAddress, mintAddress } from './made-market.ts';

const RESERVES = 5_000;
const MARKET = madeAddress(5_999);
const KAMINO_TAG = 3;
const KAMINO_PYTH_PUSH = 6;
const U64_MAX = 2n ** 64n - 1n;
const SF_ONE = 1n << 60n;

export const reserveAddress = (nth: number): Address => madeAddress(RESERVES + nth);

/**
 * A Kamino bank: 2,000,000 tokens of six decimals in the reserve, half of them lent at a tenth a year, for 1,000,000 receipts. It was last
 * refreshed thousands of slots ago.
 */
export function setKaminoBank(
  market: MadeMarket,
  nth: number,
  { config, ...fields }: BankFields = {},
  reserve: Partial<KlendReserve['config']> = {},
): void {
  market.setBank(nth, {
    integrationAcc1: reserveAddress(nth),
    integrationAcc2: madeAddress(RESERVES + 500 + nth),
    ...fields,
    config: {
      assetTag: KAMINO_TAG,
      oracleSetup: KAMINO_PYTH_PUSH,
      oracleKeys: oracleKeys(feedAddress(nth), reserveAddress(nth)),
      ...config,
    },
  });
  const zero = zeroOf(klendReserveLayout);
  const flat = { borrowRateBps: 1_000 };
  const made: KlendReserve = {
    ...zero,
    version: 1n,
    lendingMarket: MARKET,
    lastUpdate: { ...zero.lastUpdate, slot: 1n },
    liquidity: {
      ...zero.liquidity,
      mintPubkey: mintAddress(nth),
      mintDecimals: 6n,
      totalAvailableAmount: 1_000_000_000_000n,
      borrowedAmountSf: 1_000_000_000_000n * SF_ONE,
      cumulativeBorrowRateBsf: { ...zero.liquidity.cumulativeBorrowRateBsf, value: [SF_ONE, 0n, 0n, 0n] },
    },
    collateral: { ...zero.collateral, mintTotalSupply: 1_000_000_000_000n },
    config: {
      ...zero.config,
      depositLimit: U64_MAX,
      borrowLimit: U64_MAX,
      borrowRateCurve: {
        points: Array.from({ length: 11 }, (_, index) => ({ ...flat, utilizationRateBps: index === 0 ? 0 : 10_000 })),
      },
      ...reserve,
    },
  };
  market.put(reserveAddress(nth), { owner: KLEND_PROGRAM, data: bytesOf(klendReserveLayout, made) });
  market.put(MARKET, { owner: KLEND_PROGRAM, data: madeBytes(klendMarketLayout, { version: 1n }) });
}
