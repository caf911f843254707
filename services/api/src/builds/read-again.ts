import { LendingError } from '@lending/errors';
import type { LiveAccounts } from '@lending/transactions';
import type { Address } from '@solana/kit';
import type { SimulatedPlan } from './simulate-plan.ts';

/** A draft, and why it cannot be handed out; null where it can. */
interface Judged {
  readonly failure: LendingError | null;
  readonly draft: Pick<SimulatedPlan, 'simulated' | 'failedTables'> & {
    readonly state: { readonly accounts: LiveAccounts };
  };
}

/**
 * A failure that says that the chain has moved on is looked into: everything is read and built once more. Where that fails likewise on the
 * same bytes nothing had moved, and it is reported as what it is, since the same call would fail for ever. `judgeDraft` leaves the lookup tables out
 * that it is given: those that may have failed before.
 */
export async function readAgainWhereStale<T extends Judged>(
  judgeDraft: (failedTables: readonly Address[]) => Promise<T>,
): Promise<T> {
  const first = await judgeDraft([]);
  if (!isStale(first)) return first;
  const second = await judgeDraft(first.draft.failedTables);
  if (!isStale(second) || hasMoved(first.draft, second.draft)) return second;
  const [problem = ''] = second.failure.message.split('. ');
  const failure = new LendingError('ACTION__SIMULATION_INVALID', {
    message: `${problem}, and again when everything was read again and nothing had changed — allowed: transactions that the program as it runs takes — change the call, or report it to the operator`,
    context: second.failure.context,
  });
  return { ...second, failure };
}

function isStale<T extends Judged>(judged: T): judged is T & { readonly failure: LendingError } {
  return judged.failure?.code === 'ACTION__SIMULATION_STALE';
}

/** Whether any account that the transactions name has other bytes than before. */
function hasMoved(before: Judged['draft'], after: Judged['draft']): boolean {
  const named = new Set(after.simulated.transactions.flatMap(({ accounts }) => accounts));
  return [...named].some((address) => {
    const [one, other] = [before, after].map(({ state }) => state.accounts.get(address)?.data);
    return one !== undefined && other !== undefined && !Buffer.from(one).equals(other);
  });
}
