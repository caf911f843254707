import type { RelaxedRules } from '@lending/domain';
import type { P0Bank } from './bank.ts';
import { withFormerMaxAge } from './load-oracle.ts';

/** A bank as the running program takes it, where it was seen to be less strict than is assumed without an answer of the chain. */
export function relaxBank(bank: P0Bank, relaxed: RelaxedRules): P0Bank {
  return {
    ...bank,
    oracle: relaxed.has('zero_max_age_is_zero') ? withFormerMaxAge(bank.oracle) : bank.oracle,
    ...(relaxed.has('paused_collateral_zero_weight') && { backsDebtWhilePaused: true }),
  };
}
