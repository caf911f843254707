import type { Logger } from './logger.ts';
import type { Readiness } from './readiness.ts';
import { retryWithJitter } from './retry.ts';

export interface WaitUntilReadyParts {
  readonly readiness: Readiness;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/**
 * Waits for something a process cannot start without, and says what it waits for: a part of the readiness by that name, and a log
 * line for each try. An error that does not pass by waiting is thrown on.
 */
export async function waitUntilReady<T>(
  name: string,
  task: () => Promise<T>,
  { readiness, logger, signal }: WaitUntilReadyParts,
): Promise<T> {
  const component = readiness.component(name);
  const result = await retryWithJitter(task, {
    signal,
    onRetry: (error, { delayMs }) => {
      component.notReady(`${name} does not answer`);
      logger.warn('process.dependency.wait', { for: name, delayMs: Math.round(delayMs), error });
    },
  });
  component.ready();
  return result;
}
