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
  const counts = new Map<string, Map<string, number>>();
  let [total, landed] = [0, 0];
  const bump = (axis: string, value: string) => {
    const values = counts.get(axis) ?? new Map<string, number>();
    values.set(value, (values.get(value) ?? 0) + 1);
    counts.set(axis, values);
  };
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
      const lines = [...counts].map(([axis, values]) => {
        const parts = [...values].sort(([, a], [, b]) => b - a).map(([value, count]) => `${value} ${count}`);
        return `  ${axis}: ${parts.join(', ')}`;
      });
      return [`loops and closes, seed ${seed}: ${total} requests, ${landed} landed`, ...lines].join('\n');
    },
  };
}
