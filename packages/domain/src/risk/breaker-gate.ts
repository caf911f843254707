import { ruledBy } from '../accounting/action-gates.ts';
import { isHaltRunning, isPriceJump } from '../accounting/circuit-breaker.ts';
import { OPERATIONAL_STATES, type OperationalState } from '../bank.ts';
import type { ProgramErrorName } from '../program-error-name.ts';
import { bandErrorOf, bandOf } from './band-of.ts';
import type { RiskBalance, RiskBank } from './risk-balance.ts';

const CIRCUIT_BROKEN = OPERATIONAL_STATES.indexOf('CircuitBroken');

type WatchedBank = Pick<RiskBank, 'operationalState' | 'breaker'>;

/** The state whose rules a bank goes by: of a broken one that of before, for what a halt lets through. */
export function rulingStateOf({ operationalState, breaker }: WatchedBank): OperationalState {
  if (operationalState !== 'CircuitBroken') return operationalState;
  const preBreakState = breaker?.preBreakState ?? CIRCUIT_BROKEN;
  return OPERATIONAL_STATES[ruledBy({ operationalState: CIRCUIT_BROKEN, preBreakState })] ?? 'Unknown';
}

/** Whether the circuit breaker has stopped a bank at a time, unix seconds: for a while, or until an administrator clears it. */
export function isBankHalted({ operationalState, breaker }: WatchedBank, unixTimestamp: bigint): boolean {
  return operationalState === 'CircuitBroken' || (breaker !== null && isHaltRunning(breaker.state, unixTimestamp));
}

/**
 * Why the breaker of one bank of an account refuses what carries risk, a borrow or a withdrawal that leaves a debt: a halt, or a price
 * that the breaker does not believe. The price is that of the moment with its interval; where a receipt is worth several tokens, the
 * program multiplies after it has made the interval, which may differ in the last digits.
 * @see marginfi-v2 programs/marginfi/src/state/marginfi_account.rs `run_cb_price_gate`
 */
export function findBreakerRefusal(
  { bank, price }: Pick<RiskBalance, 'bank' | 'price'>,
  unixTimestamp: bigint,
): ProgramErrorName | null {
  if (isBankHalted(bank, unixTimestamp)) return 'BankCircuitBreakerHalted';
  if (bank.breaker === null) return null;
  const band = bandOf(price, 'spot');
  if (band === null) return bandErrorOf(price, 'spot');
  const { spot, high } = band;
  return isPriceJump(bank.breaker, { price: spot, confidence: high - spot }) ? 'CircuitBreakerPriceJump' : null;
}
