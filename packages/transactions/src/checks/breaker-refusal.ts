import { type BreakerGate, findBreakerRefusal, type ProgramErrorName, type RiskBalance } from '@lending/domain';
import type { LendingError } from '@lending/errors';
import type { RefusalWords } from '@lending/venues';
import { refusalOf } from './refusal.ts';

type Priced = Pick<RiskBalance, 'bank' | 'price'>;

/**
 * What a refusal by a circuit breaker carries: which bank it is of, and until when a halt lasts; null for any other error.
 * @param target is named where the breaker of none of the account's banks refuses so.
 */
export function findBreakerError(
  words: RefusalWords,
  error: ProgramErrorName,
  { target, balances }: { readonly target: Priced; readonly balances: readonly Priced[] },
  unixTimestamp: bigint,
): LendingError | null {
  if (error !== 'BankCircuitBreakerHalted' && error !== 'CircuitBreakerPriceJump') return null;
  const refused = [target, ...balances].find((each) => findBreakerRefusal(each, unixTimestamp) === error) ?? target;
  const { address, operationalState: state } = refused.bank;
  if (error === 'CircuitBreakerPriceJump') {
    return refusalOf(words, `prices of bank ${address} that its circuit breaker takes`, {
      bank: address,
      reason: error,
    });
  }
  const until = haltEndOf(refused.bank);
  const allowed = until === null ? 'banks that no circuit breaker halts' : `bank ${address} from ${until} on`;
  return refusalOf(words, allowed, { bank: address, state, until, reason: error });
}

/** When a halted bank opens again, ISO-8601; null where an administrator has to open it. */
export function haltEndOf({
  operationalState,
  breaker,
}: {
  readonly operationalState: string;
  readonly breaker: BreakerGate | null;
}): string | null {
  if (operationalState === 'CircuitBroken' || breaker === null) return null;
  return new Date(Number(breaker.state.haltEndedAt) * 1000).toISOString();
}
