import type { LeverageDeps } from '../build-deps.ts';
import type { PassedDraft } from './pass-draft.ts';

/**
 * The chain as it is once the transactions of a draft ran: accounts are what its simulation left, and whatever is simulated runs behind
 * them. So the next draft is read, checked, quoted and planned like any other.
 */
export function depsAfter(deps: LeverageDeps, { draft, passed }: PassedDraft): LeverageDeps {
  const { transactions: earlier } = draft.simulated;
  const { after, slot } = passed;
  return {
    ...deps,
    chain: {
      ...deps.chain,
      async fetchAccounts(addresses, options = {}) {
        // A node that lags behind the simulation would mix two moments.
        const batches = await deps.chain.fetchAccounts(addresses, { ...options, minContextSlot: slot });
        return batches.map((batch) => ({
          ...batch,
          accounts: batch.addresses.map((address, at) => {
            const left = after.get(address);
            if (left === undefined) return batch.accounts[at] ?? null;
            return left === null ? null : { ...left, slot: batch.slot };
          }),
        }));
      },
    },
    simulator: {
      async simulate(transactions, watch, options) {
        // Of what the earlier ones change too, the state at the end is that of one run.
        const watched = [...new Set([...watch, ...after.keys()])];
        const outcome = await deps.simulator.simulate([...earlier, ...transactions], watched, options);
        const own = outcome.transactions.slice(earlier.length);
        if (outcome.kind === 'passed') return { ...outcome, transactions: own };
        return { ...outcome, transactions: own, index: outcome.index - earlier.length };
      },
    },
  };
}
