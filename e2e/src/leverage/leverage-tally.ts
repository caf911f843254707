import { createHistogram } from '../builders/histogram.ts';
import type { LeverageAttempt, LeverageAttempted } from './attempt-leverage.ts';

/** What was tried and what came of it. */
export interface LeverageTally {
  readonly total: number;
  readonly landed: number;
  /** `shown`: how a refusal was shown to be right; null for what landed. */
  add(attempt: LeverageAttempt, outcome: LeverageAttempted, shown: string | null): void;
  /** The histogram. */
  describe(seed: string): string;
}

export function createLeverageTally(): LeverageTally {
  const histogram = createHistogram();
  const { bump } = histogram;
  let [total, landed] = [0, 0];
  return {
    get total() {
      return total;
    },
    get landed() {
      return landed;
    },
    add({ request, pair }, outcome, shown) {
      total += 1;
      bump('kind', `${request.kind} v${request.version}`);
      bump('supplied at', pair.deposit.venue);
      if (outcome.kind === 'refused') {
        bump(`${request.kind} ended as`, outcome.code);
        bump('shown', `${outcome.code}: ${shown}`);
        return;
      }
      landed += 1;
      bump(`${request.kind} ended as`, 'landed');
      const { transactions, submit, swap } = outcome.build;
      bump('envelope', `${submit} ${transactions.map(({ type }) => type).join(' ')}`);
      bump('swapped by', swap?.quote.aggregator ?? 'nobody');
    },
    describe(seed) {
      return [`loops and closes, seed ${seed}: ${total} requests, ${landed} landed`, ...histogram.lines()].join('\n');
    },
  };
}
