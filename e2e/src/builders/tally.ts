import type { Ledger } from '@lending/localnet';
import type { Attempt, Attempted } from './attempt.ts';
import { createHistogram } from './histogram.ts';
import { tokenKindOf } from './token-kind.ts';

/** What was tried and what came of it. */
export interface Tally {
  readonly total: number;
  readonly refused: number;
  add(attempt: Omit<Attempt, 'aim'>, outcome: Attempted): void;
  /** How often something came up, such as `of('venue', 'kamino')`. */
  of(axis: string, value: string): number;
  /** The histogram. */
  describe(seed: string): string;
}

export function createTally(ledger: Ledger): Tally {
  const histogram = createHistogram();
  const { bump } = histogram;
  let [total, refused] = [0, 0];
  return {
    get total() {
      return total;
    },
    get refused() {
      return refused;
    },
    add({ request, bank }, outcome) {
      total += 1;
      bump('side', request.kind);
      if (bank !== null) {
        bump('venue', bank.venue);
        bump('token', tokenKindOf(ledger, bank));
      }
      bump('version', `v${request.version}`);
      if (outcome.kind === 'landed') {
        bump('outcome', 'landed');
        const { transactions, submit, simulatedBy } = outcome.build;
        bump('envelope', `${transactions.length} ${submit}, ${simulatedBy}`);
        return;
      }
      refused += 1;
      bump('outcome', outcome.code);
      const { justification } = outcome;
      bump(
        'justified',
        justification.kind === 'shown' ? `${outcome.code}: ${justification.by}` : 'failed on the chain',
      );
      if (justification.kind === 'failed_on_chain' && justification.code !== outcome.code)
        bump('called otherwise by the chain', `${outcome.code}: ${justification.code} ${justification.error}`);
    },
    of: histogram.of,
    describe(seed) {
      return [`builders, seed ${seed}: ${total} requests, ${refused} refused`, ...histogram.lines()].join('\n');
    },
  };
}
