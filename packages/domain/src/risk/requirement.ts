import { addI80F48, type I80F48 } from '../i80f48.ts';
import type { ProgramErrorName } from '../program-error-name.ts';
import { arithmeticErrorName, type BalanceRefusal, type BalanceValue, valueBalance } from './balance-value.ts';
import { emodeOf, type ReconciledEmode } from './emode.ts';
import type { Requirement, RiskBalance } from './risk-balance.ts';

/** The first collateral that counts nothing because of its oracle, as the program's health cache keeps it. */
export interface FirstError {
  readonly index: number;
  readonly error: ProgramErrorName;
}

/** Weighted totals in USD, or the error that the balance at `index` fails the instruction with; `values` then end before it. */
export type RequirementOutcome =
  | {
      readonly kind: 'valued';
      readonly assets: I80F48;
      readonly liabilities: I80F48;
      readonly values: readonly BalanceValue[];
      readonly firstError: FirstError | null;
    }
  | {
      readonly kind: 'refused';
      readonly index: number;
      readonly error: ProgramErrorName;
      readonly values: readonly BalanceValue[];
      readonly firstError: FirstError | null;
    };

/**
 * What the program's risk engine makes of an account's active balances, in their order, to the last bit.
 * A panic of the program is named `ProgramFailedToComplete`, as the runtime reports it. `emode` is handed in for a part of an account,
 * whose own debts do not decide it alone.
 * @see marginfi-v2 programs/marginfi/src/state/marginfi_account.rs `get_health_components`
 */
export function computeRequirement(
  balances: readonly RiskBalance[],
  requirement: Requirement,
  emode: ReconciledEmode = emodeOf(balances),
): RequirementOutcome {
  const values: BalanceValue[] = [];
  let assets: I80F48 = 0n;
  let liabilities: I80F48 = 0n;
  let firstError: FirstError | null = null;
  try {
    for (const [index, balance] of balances.entries()) {
      const valued = valueBalance(balance, requirement, emode);
      if ('refusal' in valued) return { kind: 'refused', index, error: valued.refusal, values, firstError };
      if (valued.error !== null) firstError ??= { index, error: valued.error };
      if (valued.side === 'liability') liabilities = addI80F48(liabilities, valued.value);
      else assets = addI80F48(assets, valued.value);
      values.push(valued);
    }
  } catch (error) {
    return { kind: 'refused', index: values.length, error: arithmeticErrorName(error), values, firstError };
  }
  return { kind: 'valued', assets, liabilities, values, firstError };
}

/** Each balance for itself, where the whole fails on one of them. */
export function valueEach(
  balances: readonly RiskBalance[],
  requirement: Requirement,
): readonly (BalanceValue | BalanceRefusal)[] {
  const emode = emodeOf(balances);
  return balances.map((balance) => {
    try {
      return valueBalance(balance, requirement, emode);
    } catch (error) {
      return { refusal: arithmeticErrorName(error) };
    }
  });
}
