import { FRACTION_ONE, formatFraction, parseFraction } from '@lending/domain';
import type { ReserveRow } from '@lending/store';
import { describeAsOf, oldestReading, type Reading } from './as-of.ts';
import type { BankEntry } from './bank-snapshot.ts';
import { readingOf } from './sample-reading.ts';

/** What one token of a mint is worth, and who says so. */
export interface MintPrice {
  /** USD, exact decimal text. */
  readonly usd: string;
  /** A bank's oracle, a venue's own account, or what a venue pays for its receipt. */
  readonly source: 'bank' | 'venue' | 'receipt';
  /** That bank or reserve. */
  readonly pricedBy: string;
  /** ISO-8601: when it was published; null for one without a time. */
  readonly time: string | null;
  /** By the chain's clock when it was read; null where it has no time to be judged by. */
  readonly isStale: boolean | null;
  /** What it was read in. */
  readonly reading: Reading;
}

/** The prices that each mint has, the one that counts most first. */
export type MintPrices = ReadonlyMap<string, readonly MintPrice[]>;

/**
 * Prices of every mint that a bank or a trusted reserve has, and of the receipts of those reserves. Banks go first, P0's own before those
 * of other venues, newer before older. Reserves follow, fresh ones first, the one with the most deposits before smaller ones: it is the
 * price that most money depends on, and it does not change hands from one reading to the next. A receipt is worth what its venue pays
 * for it, by the prices of the token.
 */
export function pricesOfMints(banks: readonly BankEntry[], reserves: readonly ReserveRow[]): MintPrices {
  const trusted = trustedReserves(reserves);
  const ofTokens = [
    ...banks.toSorted((a, b) => (rankOfBank(a) < rankOfBank(b) ? 1 : -1)).flatMap(priceOfBank),
    ...trusted.toSorted(compareReserves).flatMap(priceOfReserve),
  ];
  const byMint = groupPrices(ofTokens);
  return groupPrices([...ofTokens, ...trusted.flatMap((row) => pricesOfReceipt(row, byMint.get(row.mint) ?? []))]);
}

/** The first of a mint's prices that is fresh, else the newest; null where there is none. */
export function firstFreshPrice(prices: readonly MintPrice[]): MintPrice | null {
  const [newest] = prices.toSorted((a, b) => (b.time ?? '').localeCompare(a.time ?? ''));
  return prices.find(({ isStale }) => isStale === false) ?? newest ?? null;
}

/**
 * The price to value a mint with at a moment: the first that is fresh, else the newest; null where there is none. `isStale` is true as
 * well where its reading is older than `staleAfterMs` by the wall clock.
 */
export function choosePrice(
  prices: readonly MintPrice[],
  { nowMs, staleAfterMs }: { readonly nowMs: number; readonly staleAfterMs: number },
): MintPrice | null {
  const aged = prices.map((price) => ({
    ...price,
    isStale: describeAsOf(price.reading, nowMs, staleAfterMs).stale || price.isStale,
  }));
  return firstFreshPrice(aged);
}

/**
 * Anyone may open a market at Kamino, list a token of their own in it and name an oracle: such a price says nothing. P0's
 * administrators chose the markets that its banks lend through. The other venues' reserves are listed by the venue itself, or were chosen when they were discovered.
 */
function trustedReserves(reserves: readonly ReserveRow[]): readonly ReserveRow[] {
  const reached = new Set(reserves.filter(({ banks }) => banks.length > 0).map(({ market }) => market));
  return reserves.filter(({ venue, market }) => venue !== 'kamino' || reached.has(market));
}

interface MintedPrice {
  readonly mint: string;
  readonly price: MintPrice;
}

function groupPrices(prices: readonly MintedPrice[]): MintPrices {
  const byMint = new Map<string, MintPrice[]>();
  for (const { mint, price } of prices) byMint.set(mint, [...(byMint.get(mint) ?? []), price]);
  return byMint;
}

function rankOfBank({ record: { venue, oracle, address } }: BankEntry): string {
  return `${venue === 'P0' ? 1 : 0}${oracle.price_time ?? ''} ${address}`;
}

function priceOfBank({ record, row, reading }: BankEntry): MintedPrice[] {
  if (row.price_usd === null) return [];
  const { address, mint, oracle } = record;
  const { price_time: time, stale: isStale } = oracle;
  return [{ mint, price: { usd: row.price_usd, source: 'bank', pricedBy: address, time, isStale, reading } }];
}

function compareReserves(a: ReserveRow, b: ReserveRow): number {
  const rank = (row: ReserveRow) =>
    [row.sample_price_usd === null ? 0 : 1, Number(row.total_assets_base) || 0] as const;
  const [[aFresh, aSize], [bFresh, bSize]] = [rank(a), rank(b)];
  return bFresh - aFresh || bSize - aSize || (a.address < b.address ? -1 : 1);
}

/** A sample has the price that was fresh when it was taken. What has no time may be of any age. */
function priceOfReserve(row: ReserveRow): MintedPrice[] {
  const { mint, address: pricedBy, sample_price_usd: fresh } = row;
  const usd = fresh ?? row.price_usd;
  if (usd === null) return [];
  const time = row.price_time?.toISOString() ?? null;
  const isStale = fresh !== null ? false : time === null ? null : true;
  return [{ mint, price: { usd, source: 'venue', pricedBy, time, isStale, reading: readingOf(row) } }];
}

function pricesOfReceipt(row: ReserveRow, ofToken: readonly MintPrice[]): MintedPrice[] {
  const { receipt_mint: mint, exchange_rate: rate } = row;
  if (mint === null || rate === null) return [];
  return ofToken.map((price) => ({
    mint,
    price: {
      ...price,
      usd: formatFraction((parseFraction(price.usd) * parseFraction(rate)) / FRACTION_ONE),
      source: 'receipt',
      pricedBy: row.address,
      reading: oldestReading([price.reading, readingOf(row)]) ?? price.reading,
    },
  }));
}
