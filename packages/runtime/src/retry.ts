import { isLendingError } from '@lending/errors';
import pRetry from 'p-retry';

export interface RetryOptions {
  readonly signal?: AbortSignal;
  /** Retries after the first attempt; default without end, which is right for what can only wait. */
  readonly retries?: number;
  /** Pause before the first retry; it doubles, times a random 1 to 2, up to `maxDelayMs`. Default 200. */
  readonly minDelayMs?: number;
  /** Default 10,000. */
  readonly maxDelayMs?: number;
  /** Default: `isRetryable` of our errors; anything else is a surprise and is not retried. */
  readonly isRetryable?: (error: unknown) => boolean;
  readonly onRetry?: (error: unknown, attempt: { readonly number: number; readonly delayMs: number }) => void;
}

/** Runs a task until it succeeds, its error is final, or the signal aborts (then the signal's reason is thrown). */
export async function retryWithJitter<T>(
  task: (attempt: number) => Promise<T>,
  options: RetryOptions = {},
): Promise<T> {
  const { signal, retries = Number.POSITIVE_INFINITY, isRetryable = isRetryableError, onRetry } = options;
  const running = pRetry(task, {
    retries,
    factor: 2,
    minTimeout: options.minDelayMs ?? 200,
    maxTimeout: options.maxDelayMs ?? 10_000,
    randomize: true,
    ...(signal && { signal }),
    onFailedAttempt: ({ error, attemptNumber, retriesLeft, retryDelay }) => {
      if (retriesLeft > 0 && isRetryable(error)) onRetry?.(error, { number: attemptNumber, delayMs: retryDelay });
    },
    shouldRetry: ({ error }) => isRetryable(error),
  });
  return signal === undefined ? running : orAborted(running, signal);
}

/** The library looks at the signal between attempts only; an attempt that waits for long must not hold up a stop. */
function orAborted<T>(running: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  running.catch(() => undefined);
  return Promise.race([running, promise]).finally(() => signal.removeEventListener('abort', onAbort));
}

function isRetryableError(error: unknown): boolean {
  return isLendingError(error) && error.isRetryable;
}
