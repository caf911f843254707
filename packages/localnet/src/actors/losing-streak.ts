import { errorOf, type Judged } from '#ledger/execution.ts';

/** Failures in a row that are no accident: people fail less than once in a hundred times. */
const NO_ACCIDENT = 20;

/** Counts how many transactions in a row failed. */
export interface LosingStreak {
  /** Takes how the next one went. Returns a line for the operator when it is time for one: once in a streak. */
  count(outcome: Judged): string | null;
}

/** A program that does not know what people send, an old one say, makes a market where nothing ever happens: somebody should hear of it. */
export function createLosingStreak(): LosingStreak {
  let failures = 0;
  return {
    count(outcome) {
      const error = errorOf(outcome);
      failures = error === null ? 0 : failures + 1;
      if (failures !== NO_ACCIDENT) return null;
      return `nothing the people of the demo market send succeeds: ${failures} failures in a row, the last ${describe(outcome)}. They go on trying`;
    },
  };
}

function describe(outcome: Judged): string {
  const said = outcome.result?.logs.findLast((line) => /Error|panicked|failed/.test(line));
  const reason = JSON.stringify(errorOf(outcome));
  return said === undefined ? reason : `${reason} (${said})`;
}
