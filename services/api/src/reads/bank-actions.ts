import { BANK_FLAG, isVenueDecoded, remainingCapacity, type Venue } from '@lending/domain';
import type { Action, OperationalState } from '#records/bank-fields.ts';

/** What decides which actions a bank accepts. `null` is unknown, and unknown is treated as "no". */
export interface BankGates {
  readonly venue: Venue;
  readonly state: OperationalState;
  readonly flags: bigint;
  readonly isCollateral: boolean;
  readonly depositLimitBase: bigint | null;
  readonly borrowLimitBase: bigint | null;
  readonly totalAssetsBase: bigint | null;
  readonly totalLiabilitiesBase: bigint | null;
  readonly availableLiquidityBase: bigint | null;
  /** True only when a price is there and young enough. */
  readonly hasFreshPrice: boolean;
}

/**
 * Whether a bank lends out at all, by its configuration: a P0 bank that operates, is not being wound down, and whose borrow
 * limit is not zero. Says nothing about today's liquidity.
 */
export function isBorrowable(gates: BankGates): boolean {
  return (
    gates.venue === 'p0' && gates.state === 'Operational' && !isWindingDown(gates.flags) && gates.borrowLimitBase !== 0n
  );
}

/**
 * What the program would accept now, as far as the tables know; what they do not know is left out.
 *
 * Deposit: operating, room under the cap. Withdraw: operating or reduce-only, and something is there to take. Borrow:
 * borrowable, room, liquidity and a fresh price, because a stale price of a debt fails the instruction. Repay: as withdraw,
 * P0 only. Loop: the bank can be one leg of it: borrowed, or supplied as collateral with a fresh price (a stale one counts
 * as zero for new debt). A venue that is not decoded here allows no deposit, since its caps and state are unknown.
 */
export function listAllowedActions(gates: BankGates): Action[] {
  const { state } = gates;
  if (state !== 'Operational' && state !== 'ReduceOnly' && state !== 'ReduceOnlyWithBorrowingPower') return [];
  const isOpen = state === 'Operational' && !isWindingDown(gates.flags);
  const canDeposit = isOpen && isVenueDecoded(gates.venue) && hasRoom(gates.depositLimitBase, gates.totalAssetsBase);
  const canWithdraw = gates.availableLiquidityBase !== 0n;
  const canBorrow =
    isBorrowable(gates) &&
    gates.hasFreshPrice &&
    hasRoom(gates.borrowLimitBase, gates.totalLiabilitiesBase) &&
    gates.availableLiquidityBase !== null &&
    gates.availableLiquidityBase > 0n;
  const canLoop = canBorrow || (canDeposit && gates.isCollateral && gates.hasFreshPrice);
  const allowed: Readonly<Record<Action, boolean>> = {
    deposit: canDeposit,
    withdraw: canWithdraw,
    borrow: canBorrow,
    repay: gates.venue === 'p0',
    loop: canLoop,
  };
  return (Object.keys(allowed) as Action[]).filter((action) => allowed[action]);
}

function isWindingDown(flags: bigint): boolean {
  return (flags & BANK_FLAG.tokenlessRepaymentsAllowed) !== 0n;
}

function hasRoom(limitBase: bigint | null, totalBase: bigint | null): boolean {
  if (limitBase === null) return true;
  if (totalBase === null) return false;
  return remainingCapacity(limitBase, totalBase) !== 0n;
}
