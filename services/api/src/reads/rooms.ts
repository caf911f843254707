import { parseFraction, remainingCapacity, tokensOfReceipts, type Venue } from '@lending/domain';
import type { BankRow } from '@lending/store';

/** What fits into a bank, and what can leave it. Base units of the mint; null is no cap, or a cap that cannot be told in tokens. */
export interface BankRooms {
  readonly depositLimitBase: bigint | null;
  /** The lesser of the room under the bank's cap and under its reserve's. */
  readonly depositRoomBase: bigint | null;
  readonly borrowLimitBase: bigint | null;
  readonly borrowRoomBase: bigint | null;
  /** The least of what the bank holds, what its pool has and what the reserve lets go; null is unknown. */
  readonly availableBase: bigint | null;
  /** Whether a deposit of one unit fits, as far as is known; what is not known does not fit. */
  readonly takesDeposits: boolean;
  readonly takesBorrows: boolean;
}

/**
 * The rooms of a bank, with those of the reserve behind it. A bank on another venue counts its deposit limit in the venue's receipts, which
 * its sample's exchange rate turns into tokens; its totals are in tokens already.
 */
export function describeRooms(row: BankRow): BankRooms {
  const isOwnPool = row.venue === 'p0';
  const totalAssets = bigintOrNull(row.total_assets_base);
  const totalLiabilities = bigintOrNull(row.total_liabilities_base);
  const hasDepositLimit = row.deposit_limit_base !== null;
  const depositLimitBase = depositLimit(row.venue, bigintOrNull(row.deposit_limit_base), row.exchange_rate);
  const borrowLimitBase = bigintOrNull(row.borrow_limit_base);
  const ownRoom = room(depositLimitBase, totalAssets);
  const reserveRoom = bigintOrNull(row.reserve_deposit_room_base);
  const held = lesser(bigintOrNull(row.available_liquidity_base), totalAssets);
  return {
    depositLimitBase,
    depositRoomBase: hasDepositLimit && ownRoom === null ? bounded(reserveRoom) : lesser(ownRoom, reserveRoom),
    borrowLimitBase,
    borrowRoomBase: room(borrowLimitBase, totalLiabilities),
    availableBase: availableOf(row, held),
    takesDeposits:
      (!hasDepositLimit || (ownRoom !== null && ownRoom > 0n)) &&
      (isOwnPool || (row.reserve_status !== null && reserveRoom !== 0n)),
    takesBorrows:
      borrowLimitBase === null ||
      (totalLiabilities !== null && remainingCapacity(borrowLimitBase, totalLiabilities) !== 0n),
  };
}

function availableOf(row: BankRow, held: bigint | null): bigint | null {
  if (row.venue === 'p0') return bigintOrNull(row.available_liquidity_base);
  const reserveRoom = bigintOrNull(row.reserve_withdraw_room_base);
  return held === null ? bounded(reserveRoom) : lesser(held, reserveRoom);
}

/** What is known of the lesser of something unknown and this: no more than that nothing is left, where nothing is. */
function bounded(other: bigint | null): bigint | null {
  return other === 0n ? 0n : null;
}

function depositLimit(venue: Venue, limit: bigint | null, exchangeRate: string | null): bigint | null {
  if (limit === null || venue === 'p0') return limit;
  return exchangeRate === null ? null : tokensOfReceipts(limit, parseFraction(exchangeRate));
}

function room(limit: bigint | null, total: bigint | null): bigint | null {
  return limit === null || total === null ? null : remainingCapacity(limit, total);
}

/** The lesser of what is known. */
function lesser(a: bigint | null, b: bigint | null): bigint | null {
  if (a === null || b === null) return a ?? b;
  return a < b ? a : b;
}

export function bigintOrNull(text: string | null): bigint | null {
  return text === null ? null : BigInt(text);
}
