import { LendingError } from '@lending/errors';

/** Why a node's subscriptions are heard no longer. */

export function timedOut(host: string, slotTimeoutMs: number): LendingError {
  return new LendingError('CHAIN__RPC_TIMED_OUT', {
    message: `${host} sent no slot for ${slotTimeoutMs} ms`,
    context: { host },
  });
}

export function unavailable(host: string, cause: unknown): LendingError {
  return new LendingError('CHAIN__RPC_UNAVAILABLE', {
    message: `The subscription on ${host} was lost`,
    context: { host },
    cause,
  });
}

export function behind(host: string): LendingError {
  return new LendingError('CHAIN__RPC_UNAVAILABLE', {
    message: `${host} is behind the other nodes`,
    context: { host },
  });
}
