import { errorOf, type Judged } from '#ledger/execution.ts';

/** More failures than successes by so many are no accident: people fail less than once in a hundred times. */
const NO_ACCIDENT = 20;

/** Counts how much oftener transactions fail than succeed. */
export interface LosingStreak {
  /** Takes how the next one went. Returns a line for the operator when it is time for one: once in a streak. */
  count(outcome: Judged): string | null;
}

/**
 * A program that does not know what people send, an old one say, makes a market where hardly anything happens: somebody should hear of it.
 * Those who act on other programs go on succeeding meanwhile, so a success takes back one failure and not all of them.
 */
export function createLosingStreak(): LosingStreak {
  let balance = 0;
  let isTold = false;
  return {
    count(outcome) {
      const error = errorOf(outcome);
      balance = error === null ? Math.max(0, balance - 1) : balance + 1;
      if (balance === 0) isTold = false;
      if (isTold || balance < NO_ACCIDENT) return null;
      isTold = true;
      return `hardly anything the people of the demo market send succeeds; the last failure: ${describe(outcome)}. They go on trying`;
    },
  };
}

function describe(outcome: Judged): string {
  const said = outcome.result?.logs.findLast((line) => /Error|panicked|failed/.test(line));
  const reason = JSON.stringify(errorOf(outcome));
  return said === undefined ? reason : `${reason} (${said})`;
}
