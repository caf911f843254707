import { describeError } from '@lending/errors';
import { fromSystemError } from '@lending/runtime';

/** Runs something that hangs on the chain and must not stop it: when it throws, `report` gets the line. */
export function guard(run: () => void, report: (line: string) => void): void {
  try {
    run();
  } catch (error) {
    report(describeError(fromSystemError(error)));
  }
}
