import { type ErrorCode, LendingError } from '@lending/errors';

/** Our error for what kafkajs threw; its `type` is the protocol's name of an error. */
export function kafkaFailure(error: unknown, what: string): LendingError {
  if (error instanceof LendingError) return error;
  return new LendingError(codeOf(error), {
    message: `${what}: ${error instanceof Error ? error.message : String(error)}`,
    cause: error,
  });
}

function codeOf(error: unknown): ErrorCode {
  const { name, type } = deepestCause(error) as { name?: unknown; type?: unknown };
  const isTimeout = name === 'KafkaJSRequestTimeoutError' || type === 'REQUEST_TIMED_OUT';
  return isTimeout ? 'BUS__PUBLISH_TIMED_OUT' : 'BUS__UNAVAILABLE';
}

function deepestCause(error: unknown): object {
  let deepest: unknown = error;
  while (deepest instanceof Error && deepest.cause instanceof Error) deepest = deepest.cause;
  return deepest instanceof Error ? deepest : {};
}
