import { formatVenue, symbolOfKnownMint } from '@lending/domain';
import type { ReserveRow } from '@lending/store';
import type { ShownState } from '#records/bank-fields.ts';
import type { Reserve, ReserveIncentive } from '#records/reserve-fields.ts';
import { firstFreshPrice, type MintPrice } from './mint-prices.ts';
import { describeRates } from './pool-rates.ts';
import { shownNumber, shownPct, shownTokens, shownUsd } from './shown-numbers.ts';
import type { TrailingRates } from './trailing-rates.ts';

/** What a record is made of, besides the reserve's own row. */
export interface ReserveSource {
  readonly row: ReserveRow;
  readonly trailing: TrailingRates | undefined;
  /** P0 banks whose money lies here. */
  readonly banks: readonly { readonly address: string; readonly operational_state: ShownState }[];
  /** Of a mint, the one that counts most first. */
  readonly pricesOf: (mint: string) => readonly MintPrice[];
  /** Symbol that a P0 bank gives to a mint. */
  readonly symbolOf: (mint: string) => string | null;
}

/**
 * A venue's pool as callers see it. Its price is the one in the venue's own account while it is fresh, else that of a P0 bank of the same mint.
 * Rates of a suspended reserve are null: its curve still gives a figure that nobody earns.
 * @throws SyntaxError when the row holds what the projection never writes.
 */
export function toReserveRecord(source: ReserveSource): Reserve {
  const { row } = source;
  const tokens = (base: string | null) => shownTokens(base, row.decimals);
  const price = describePrice(source);
  const deposits = tokens(row.total_assets_base);
  const borrows = tokens(row.total_liabilities_base);
  const available = tokens(row.available_liquidity_base);
  return {
    address: row.address,
    venue: formatVenue(row.venue) as Reserve['venue'],
    market: row.market,
    market_name: row.market_name,
    mint: row.mint,
    receipt_mint: row.receipt_mint,
    symbol: symbolOfKnownMint(row.mint) ?? source.symbolOf(row.mint) ?? row.symbol,
    decimals: row.decimals,
    status: row.status,
    status_reasons: [...row.status_reasons],
    ...price,
    rates: describeRates(row, source.trailing, { hasBorrowers: true, isSuspended: row.status === 'suspended' }),
    incentives: describeIncentives(source, {
      deposit: shownUsd(deposits, price.price_usd),
      borrow: shownUsd(borrows, price.price_usd),
    }),
    size: {
      deposits_usd: shownUsd(deposits, price.price_usd),
      borrows_usd: shownUsd(borrows, price.price_usd),
      available_liquidity_usd: shownUsd(available, price.price_usd),
      deposits,
      borrows,
      available_liquidity: available,
    },
    limits: {
      deposit_limit: tokens(row.deposit_limit_base),
      deposit_room: tokens(row.deposit_room_base),
      borrow_limit: tokens(row.borrow_limit_base),
      borrow_room: tokens(row.borrow_room_base),
      withdraw_room: tokens(row.withdraw_room_base),
    },
    exchange_rate: row.exchange_rate,
    banks: [...source.banks],
  };
}

/**
 * Venues refresh the price in their accounts when somebody acts: it may be years old, and nobody says so where it has no time. So it
 * counts while the sample took it for one of its moment, and again where nothing better is known.
 */
function describePrice({ row, pricesOf }: ReserveSource): Pick<Reserve, 'price_usd' | 'price_source' | 'price_time'> {
  const stored = shownNumber(row.price_usd);
  const time = row.price_time?.toISOString() ?? null;
  const fresh = shownNumber(row.sample_price_usd);
  if (fresh !== null) return { price_usd: fresh, price_source: 'venue', price_time: time };
  const bank = pricesOf(row.mint).find(({ source }) => source === 'bank');
  if (bank !== undefined) return { price_usd: shownNumber(bank.usd), price_source: 'bank', price_time: bank.time };
  return {
    price_usd: stored,
    price_source: stored === null ? null : 'venue',
    price_time: stored === null ? null : time,
  };
}

/** A reward's rate is what it pays a year over what that side holds, both in USD. */
function describeIncentives(
  { row, pricesOf, symbolOf }: ReserveSource,
  sideUsd: Readonly<Record<ReserveIncentive['side'], number | null>>,
): ReserveIncentive[] {
  return row.incentives.map(({ side, mint, amountPerYearBase, decimals }) => {
    const amount = shownTokens(amountPerYearBase, decimals);
    const usd = shownUsd(amount, shownNumber(firstFreshPrice(pricesOf(mint))?.usd ?? null));
    const held = sideUsd[side];
    return {
      side,
      mint,
      symbol: symbolOfKnownMint(mint) ?? symbolOf(mint),
      amount_per_year: amount,
      usd_per_year: usd,
      apr_pct: usd === null || held === null || held === 0 ? null : shownPct(usd / held),
    };
  });
}
