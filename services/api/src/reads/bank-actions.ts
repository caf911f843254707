import { BANK_FLAG, type ReserveStatus, type Venue } from '@lending/domain';
import type { Action, ShownState } from '#records/bank-fields.ts';
import type { SeenBreaker } from './bank-breaker.ts';
import type { BankRooms } from './rooms.ts';

/** What decides which actions a bank accepts. `null` is unknown, and unknown is treated as "no". */
export interface BankGates {
  readonly venue: Venue;
  readonly state: ShownState;
  readonly breaker: SeenBreaker;
  readonly flags: bigint;
  readonly isCollateral: boolean;
  readonly rooms: BankRooms;
  /** By configuration of the bank or of its reserve: nothing may ever be added. */
  readonly hasDepositLimitOfZero: boolean;
  /** Of the reserve behind a bank on another venue; null on P0's own banks, and while it is not read. */
  readonly reserveStatus: ReserveStatus | null;
  readonly reserveReasons: readonly string[];
  /** True only when a price is there and young enough. */
  readonly hasFreshPrice: boolean;
}

/** Kamino's word for a reserve that wants somebody's signature beside the depositor's: there is room, but not for P0. */
const DEPOSITS_PERMISSIONED = 'deposits_permissioned';
/** Drift's word for a market that its administrators opened for everything but deposits. */
const DEPOSITS_PAUSED = 'deposits_paused';

/**
 * Whether a bank lends out at all, by its configuration: a P0 bank that operates, is not being wound down, and whose borrow
 * limit is not zero. Says nothing about today's liquidity.
 */
export function isBorrowable(gates: BankGates): boolean {
  return (
    gates.venue === 'p0' &&
    gates.state === 'Operational' &&
    !isWindingDown(gates.flags) &&
    gates.rooms.borrowLimitBase !== 0n
  );
}

/**
 * Whether a bank takes deposits at all, by its configuration and its reserve's: one that operates, is not being wound down, and whose
 * limits are not zero; behind a bank on another venue, a reserve that is known to take P0's deposits. Says nothing about today's room.
 */
export function takesDepositsAtAll(gates: BankGates): boolean {
  const { venue, state, reserveStatus, reserveReasons } = gates;
  const isShut = reserveReasons.includes(DEPOSITS_PERMISSIONED) || reserveReasons.includes(DEPOSITS_PAUSED);
  const isVenueOpen = venue === 'p0' || ((reserveStatus === 'active' || reserveStatus === 'restricted') && !isShut);
  return state === 'Operational' && !isWindingDown(gates.flags) && !gates.hasDepositLimitOfZero && isVenueOpen;
}

/**
 * What the program would accept now, as far as the tables know; what they do not know is left out.
 *
 * Deposit: operating, room under the caps of the bank and of its reserve, a reserve that takes deposits. Withdraw: operating or
 * reduce-only, and something is there to take, in the reserve too. Borrow: borrowable, room, liquidity and a fresh price, because
 * a stale price of a debt fails the instruction. Repay: as withdraw, P0 only. Loop: the bank can be one leg of it: borrowed, or
 * supplied as collateral with a fresh price (a stale one counts as zero for new debt). A suspended reserve, or one in a state
 * nobody knows, allows nothing. While the circuit breaker halts the bank only repayments are sure to pass: deposits want a balance that
 * is there, withdrawals an account that owes nothing. A price outside of its range stops borrowing and loops.
 */
export function listAllowedActions(gates: BankGates): Action[] {
  const { rooms, reserveStatus, reserveReasons } = gates;
  const { rulingState: state, isHalted, isPriceInRange } = gates.breaker;
  if (state !== 'Operational' && state !== 'ReduceOnly' && state !== 'ReduceOnlyWithBorrowingPower') return [];
  if (reserveStatus === 'suspended' || reserveStatus === 'unknown') return [];
  if (isHalted !== false) return gates.venue === 'p0' ? ['repay'] : [];
  const isOpen = state === 'Operational' && !isWindingDown(gates.flags) && reserveStatus !== 'closed';
  const canDeposit = isOpen && rooms.takesDeposits && !reserveReasons.includes(DEPOSITS_PERMISSIONED);
  const canBorrow =
    isBorrowable(gates) &&
    gates.hasFreshPrice &&
    isPriceInRange === true &&
    rooms.takesBorrows &&
    rooms.availableBase !== null &&
    rooms.availableBase > 0n;
  const allowed: Readonly<Record<Action, boolean>> = {
    deposit: canDeposit,
    withdraw: rooms.availableBase !== 0n,
    borrow: canBorrow,
    repay: gates.venue === 'p0',
    loop: canBorrow || (canDeposit && gates.isCollateral && gates.hasFreshPrice && isPriceInRange === true),
  };
  return (Object.keys(allowed) as Action[]).filter((action) => allowed[action]);
}

function isWindingDown(flags: bigint): boolean {
  return (flags & BANK_FLAG.tokenlessRepaymentsAllowed) !== 0n;
}
