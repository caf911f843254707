import {
  assetAmountOf,
  ceilI80F48,
  floorI80F48,
  type I80F48,
  liabilityAmountOf,
  multiplyI80F48,
  remainingCapacity,
} from '@lending/domain';
import type { P0Account, P0Bank } from '@lending/venues';
import type { Address } from '@solana/kit';
import type { MarketView } from './market-view.ts';

const U64_MAX = 2n ** 64n - 1n;

/** Base units an account has supplied to a bank, rounded down. */
export function suppliedTo(view: MarketView, account: P0Account, bank: Address): bigint {
  const shares = account.balances.find((balance) => balance.bank === bank)?.assetShares ?? 0n;
  return floorI80F48(assetAmountOf(view.bank(bank).shares, shares));
}

/** Base units an account owes to a bank as of its last accrual, rounded up. */
export function owedTo(view: MarketView, account: P0Account, bank: Address): bigint {
  const shares = account.balances.find((balance) => balance.bank === bank)?.liabilityShares ?? 0n;
  return ceilI80F48(liabilityAmountOf(view.bank(bank).shares, shares));
}

/** USD a base unit of debt weighs at the initial requirement, times 2^48; null where the program has no price. */
export function debtWeight(view: MarketView, bank: P0Bank): I80F48 | null {
  const price = view.price(bank);
  if (price.kind === 'failed' || typeof price.ema === 'string') return null;
  return multiplyI80F48(price.ema.high, bank.weights.liabilityInit);
}

/** What `freeUsd` of collateral at the initial requirement lets an account borrow of a bank, in base units. */
export function borrowable(view: MarketView, bank: P0Bank, freeUsd: I80F48): bigint {
  const weight = debtWeight(view, bank);
  if (weight === null || weight <= 0n || freeUsd <= 0n) return 0n;
  return (freeUsd * 10n ** BigInt(bank.decimals)) / weight;
}

/** What is left under a bank's caps and in its pool, halved, so that others find something too. */
export function lendable(bank: P0Bank): bigint {
  const { shares, borrowLimit } = bank;
  const deposited = floorI80F48(assetAmountOf(shares, shares.totalAssetShares));
  const lent = ceilI80F48(liabilityAmountOf(shares, shares.totalLiabilityShares));
  const cap = borrowLimit === null || borrowLimit > deposited ? deposited : borrowLimit;
  return cap > lent ? (cap - lent) / 2n : 0n;
}

/** What is left under a bank's deposit limit, halved, so that others find room too. */
export function depositable({ shares, depositLimit }: P0Bank): bigint {
  const room = remainingCapacity(depositLimit, ceilI80F48(assetAmountOf(shares, shares.totalAssetShares)));
  return room === null ? U64_MAX : room / 2n;
}

export function smaller(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}
