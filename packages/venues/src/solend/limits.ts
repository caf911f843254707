import { smallerOf, U64_MAX } from '@lending/domain';
import type { SolendLendingMarket, SolendReserve } from '@lending/programs';
import type { ReserveLimits } from '../reserve.ts';
import { computeBorrowFees } from './borrow-fees.ts';
import { totalSupplyWads } from './exchange-rate.ts';
import { remainingOutflowWads } from './rate-limiter.ts';
import { amountOfValue, upperPrice } from './valuation.ts';
import { WAD } from './wads.ts';

/** What stands for a limit where there is none. */
const UNLIMITED = U64_MAX;
/** A weight that makes a debt worth more than any collateral: how Save closes a reserve to borrowers. */
const UNBORROWABLE = U64_MAX;

/**
 * What a reserve still takes, lends and pays out. Withdrawals are those from an obligation, which is where all of P0's receipts are:
 * none succeed while more is borrowed against the reserve than it allows.
 * @param reserve its interest brought to `slot`.
 */
export function limitsOf(reserve: SolendReserve, market: SolendLendingMarket, slot: bigint): ReserveLimits {
  const { depositLimit, borrowLimit } = reserve.config;
  const { availableAmount, borrowedAmountWads } = reserve.liquidity;
  const outflow = smallerOf(availableAmount, outflowRoom(reserve, market, slot));
  return {
    depositLimitBase: limitOrNone(depositLimit),
    depositRoomBase: depositLimit === UNLIMITED ? null : roomBelow(depositLimit, totalSupplyWads(reserve) / WAD),
    borrowLimitBase: limitOrNone(borrowLimit),
    borrowRoomBase: isUnborrowable(reserve)
      ? 0n
      : smallerOf(receivable(reserve, outflow), roomBelow(borrowLimit, borrowedAmountWads / WAD)),
    withdrawRoomBase: isAttributedLimitExceeded(reserve) ? 0n : outflow,
  };
}

export function isUnborrowable(reserve: SolendReserve): boolean {
  return reserve.addedBorrowWeightBps === UNBORROWABLE;
}

/** Whether more is borrowed against the reserve's receipts than it allows: nothing can be withdrawn or borrowed against it then. */
export function isAttributedLimitExceeded(reserve: SolendReserve): boolean {
  return reserve.attributedBorrowValue > reserve.attributedBorrowLimitOpen * WAD;
}

/** The rate limiters of reserve and market, in the reserve's base units. */
function outflowRoom(reserve: SolendReserve, market: SolendLendingMarket, slot: bigint): bigint {
  const ofReserve = remainingOutflowWads(reserve.rateLimiter, slot) / WAD;
  // A market without a limiter, or a reserve without a price, is limited by the reserve alone.
  if (market.rateLimiter.windowDuration === 0n || upperPrice(reserve) === 0n) return ofReserve;
  return smallerOf(ofReserve, amountOfValue(remainingOutflowWads(market.rateLimiter, slot), reserve) / WAD);
}

/** The most a borrower can receive where `most` may leave: the fee leaves too, and must be less than what is received. */
function receivable(reserve: SolendReserve, most: bigint): bigint {
  const { borrowFeeWad } = reserve.config.fees;
  // A loan that is all fee is refused whatever its size.
  if (borrowFeeWad >= WAD) return 0n;
  const isPossible = (received: bigint) => {
    const { feeWads, borrowFee } = computeBorrowFees(reserve, received * WAD, 'added');
    return received + borrowFee <= most && feeWads < received * WAD;
  };
  let received = (most * WAD) / (WAD + borrowFeeWad);
  // The fee is rounded, and a unit or two at least: this ends after a few steps.
  while (received > 0n && !isPossible(received)) received -= 1n;
  return received;
}

function limitOrNone(limit: bigint): bigint | null {
  return limit === UNLIMITED ? null : limit;
}

function roomBelow(limit: bigint, used: bigint): bigint {
  return used >= limit ? 0n : limit - used;
}
