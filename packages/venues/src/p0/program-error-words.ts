import type { ErrorCode } from '@lending/errors';

/** What was being done when the program refused: the same refusal is another limit for a borrower than for a lender. */
export type RefusedAction = 'deposit' | 'withdraw' | 'borrow' | 'repay' | 'loop' | 'close-position';

/** What is said of one error: what was wrong, and the next step with the field or tool that takes it. */
export interface ErrorWords {
  readonly code: ErrorCode;
  /** Codes that replace `code` for some actions. */
  readonly byAction?: Readonly<Partial<Record<RefusedAction, ErrorCode>>>;
  readonly problem: string;
  readonly change: string;
  /** What a caller finds under `details`, at each stage that can refuse; where the bank is known, more is said of it. */
  readonly details?: Readonly<Record<string, unknown>>;
}

export function words(code: ErrorCode, problem: string, change: string, byAction = {}): ErrorWords {
  return { code, problem, change, byAction };
}

/** Health refuses: above the cap of a borrow or a loop that is their own limit. */
export const HEALTH_CODES = { borrow: 'ACTION__BORROW_EXCEEDED', loop: 'ACTION__LEVERAGE_EXCEEDED' } as const;

/** What leaves a bank is limited. */
export const OUTFLOW_CODES = {
  borrow: 'ACTION__BORROW_EXCEEDED',
  loop: 'ACTION__BORROW_EXCEEDED',
  withdraw: 'ACTION__WITHDRAW_EXCEEDED',
  'close-position': 'ACTION__WITHDRAW_EXCEEDED',
} as const;

/** A price is too old or too uncertain: it passes by itself. */
export const stalePrice = (problem: string) =>
  words(
    'ORACLE__PRICE_STALE',
    problem,
    'Wait until the oracle was updated and make the same call again, or choose another `bank`',
  );

/** The transaction names what was true when it was built. */
export const movedOn = (problem: string) =>
  words('ACTION__SIMULATION_STALE', problem, 'Make the same call again: it reads `bank` and its accounts anew');

/** No user of the tools can bring this about. */
export const wronglyBuilt = (problem: string) =>
  words(
    'ACTION__SIMULATION_INVALID',
    problem,
    'Use the transactions that the `svc_` tools return unchanged; if they are, report the call to the operator',
  );

export const adminOnly = (problem: string) =>
  words(
    'ACTION__SIMULATION_INVALID',
    problem,
    'Leave the instruction out: it is for admins of the group, and no `svc_` tool builds it',
  );

export const orderOnly = (problem: string) =>
  words(
    'ACTION__SIMULATION_INVALID',
    problem,
    'Correct the order, or close it: orders are not built by the `svc_` tools',
  );

export const liquidatorOnly = (problem: string) =>
  words(
    'ACTION__SIMULATION_INVALID',
    problem,
    'Correct the liquidation: it is not built by the `svc_` tools; `svc_get_health` shows where the account stands',
  );

/** A circuit breaker halts a bank; `until` when, a check before the chain says, which knows the bank. */
export const haltedBank = (problem: string, change: string): ErrorWords => ({
  ...words('ACTION__BANK_UNAVAILABLE', problem, change),
  details: { until: null },
});

export const brokenBank = (problem: string) =>
  words(
    'ACTION__BANK_UNAVAILABLE',
    problem,
    'Choose another `bank` that `svc_get_banks` lists: this one waits for its admin',
  );
