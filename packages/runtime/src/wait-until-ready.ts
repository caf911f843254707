import { isLendingError } from '@lending/errors';
import type { Logger } from './logger.ts';
import type { Readiness } from './readiness.ts';
import { retryWithJitter } from './retry.ts';

export interface WaitUntilReadyParts {
  readonly readiness: Readiness;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** After so long the last error is thrown; default: it waits without end. */
  readonly giveUpAfterMs?: number;
}

/**
 * Waits for something a process cannot start without, and says what it waits for: a part of the readiness by that name, and a log
 * line for each try. An error that does not pass by waiting is thrown on, and so is the last one when it gives up.
 */
export async function waitUntilReady<T>(
  name: string,
  task: () => Promise<T>,
  { readiness, logger, signal, giveUpAfterMs = Number.POSITIVE_INFINITY }: WaitUntilReadyParts,
): Promise<T> {
  const component = readiness.component(name);
  const givesUpAt = performance.now() + giveUpAfterMs;
  const result = await retryWithJitter(task, {
    signal,
    isRetryable: (error) => isLendingError(error) && error.isRetryable && performance.now() < givesUpAt,
    onRetry: (error, { delayMs }) => {
      component.notReady(`${name} does not answer`);
      logger.warn('process.dependency.wait', { for: name, delayMs: Math.round(delayMs), error });
    },
  });
  component.ready();
  return result;
}
