import { type FractionE18, parseFraction } from '@lending/domain';
import { listPairs, type PairableBank } from '@lending/strategies';
import { type P0Bank, toRiskBank } from '@lending/venues';
import type { Address } from '@solana/kit';
import type { ChainMoment, SeenBank } from './seen-banks.ts';

/** A mint, and what one token of it was worth when it was last read. */
export interface PricedMint {
  readonly mint: Address;
  readonly decimals: number;
  /** Exact decimal text. */
  readonly priceUsd: string;
  readonly priceE18: FractionE18;
}

/** What is borrowed, and what it would be swapped into. */
export interface SwapPair {
  /** `inMint:outMint`: what its messages are keyed by. */
  readonly key: string;
  readonly inMint: Address;
  readonly outMint: Address;
}

/** A mint as a bank last had it. */
export interface SeenMint extends PricedMint {
  /** Whose oracle says it. */
  readonly bank: P0Bank;
}

/** A pair with the banks whose oracles say what its mints are worth. */
export interface BankedPair {
  readonly key: string;
  readonly in: P0Bank;
  readonly out: P0Bank;
}

/** A pair with the prices that its sizes are told by. */
export interface PricedPair {
  readonly key: string;
  readonly in: PricedMint;
  readonly out: PricedMint;
}

/** Older prices are no prices, seconds. Rounds are some ten seconds apart, and a price that was missed is read in the next. */
const PRICE_SECONDS = 300n;

/**
 * The swaps that loops between these banks take, by how much can be borrowed, the most first. A pair of mints stands once, however many
 * banks have them.
 */
export function listSwapPairs(banks: Iterable<SeenBank>, prices: ReadonlyMap<string, PricedMint>): readonly SwapPair[] {
  const all = [...banks];
  const liquidity = liquidityOf(all, prices);
  const pairs = new Map<string, SwapPair>();
  for (const { supply, borrow } of listPairs(all.map(toPairable))) {
    const [inMint, outMint] = [borrow.mint, supply.mint];
    const key = `${inMint}:${outMint}`;
    if (inMint !== outMint) pairs.set(key, { key, inMint, outMint });
  }
  const worth = ({ inMint }: SwapPair) => liquidity.get(inMint) ?? 0n;
  return [...pairs.values()].sort((one, other) => compare(worth(other), worth(one)) || (one.key < other.key ? -1 : 1));
}

/** Null where either mint had no price when it was last seen: no size could be told. */
export function banksOf({ key, inMint, outMint }: SwapPair, mints: ReadonlyMap<string, SeenMint>): BankedPair | null {
  const [from, to] = [mints.get(inMint), mints.get(outMint)];
  return from === undefined || to === undefined ? null : { key, in: from.bank, out: to.bank };
}

interface LoopBank extends PairableBank {
  readonly mint: Address;
}

function toPairable({ bank, group: terms, takesDeposits, lendsOut }: SeenBank): LoopBank {
  const { address, group, mint, venue, originationFee } = bank;
  const risk = toRiskBank(bank, terms, null);
  return { address, group, mint, venue, originationFee, takesDeposits, lendsOut, risk };
}

/** By mint; where several banks have one, P0's own bank says it, and between equals the one read last. */
export function listMintPrices(
  seen: Iterable<SeenBank>,
  { unixTimestamp: now }: ChainMoment,
): ReadonlyMap<string, SeenMint> {
  const [banks, since] = [[...seen], now - PRICE_SECONDS];
  const rank = ({ bank, unixTimestamp }: SeenBank) => (bank.venue === 'p0' ? 1n << 64n : 0n) + unixTimestamp;
  const mints = new Map<string, SeenMint>();
  for (const { bank, priceUsd, unixTimestamp } of banks.sort((one, other) => compare(rank(one), rank(other)))) {
    if (priceUsd === null || unixTimestamp < since) continue;
    const priceE18 = parseFraction(priceUsd);
    if (priceE18 <= 0n) continue;
    const { mint, decimals } = bank;
    mints.set(mint, { bank, mint, decimals, priceUsd, priceE18 });
  }
  return mints;
}

/** What the banks of a mint that lend hold together, USD of 18 decimals. */
function liquidityOf(banks: readonly SeenBank[], mints: ReadonlyMap<string, PricedMint>): ReadonlyMap<string, bigint> {
  const held = new Map<string, bigint>();
  for (const { bank, lendsOut, availableBase } of banks) {
    const priced = mints.get(bank.mint);
    if (priced === undefined || !lendsOut || bank.venue !== 'p0' || availableBase === null) continue;
    const usd = (availableBase * priced.priceE18) / 10n ** BigInt(bank.decimals);
    held.set(bank.mint, (held.get(bank.mint) ?? 0n) + usd);
  }
  return held;
}

function compare(one: bigint, other: bigint): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
