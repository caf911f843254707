import type { RpcTransport } from '@solana/kit';
import {
  type CircuitBreakerPolicy,
  ConsecutiveBreaker,
  circuitBreaker,
  ExponentialBackoff,
  handleWhen,
  isBrokenCircuitError,
} from 'cockatiel';
import { isAnswerTo } from './answer-shape.ts';
import type { ChainHooks } from './chain-options.ts';
import { classifyJsonRpcError, classifyThrown, describeNoAnswer, type Failure, type JsonRpcError } from './failure.ts';
import { createNodeTransport } from './http-transport.ts';
import { startTimeLimit } from './time-limit.ts';

/** A JSON-RPC request as kit's transports hand it over. */
export interface RpcPayload {
  readonly method: string;
  readonly params: unknown;
}

export type Attempt =
  | { readonly kind: 'answered'; readonly response: unknown }
  | { readonly kind: 'failed'; readonly failure: Failure }
  /** Not asked at all: the endpoint is resting after failures, or asked for patience until `untilMs`. */
  | { readonly kind: 'resting'; readonly reason: string; readonly untilMs?: number };

export interface EndpointOptions {
  readonly breakerFailures: number;
  readonly breakerPauseMs: number;
  readonly hooks: ChainHooks;
}

/** Thrown inside the breaker so that it counts a failure; never leaves this file. */
class AttemptFailed extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.reason);
    this.failure = failure;
  }
}

/** A pause grows up to so many of the first. A node that is back is asked soon, and one that is away costs a request now and then. */
const LONGEST_PAUSES = 4;

/** One RPC node: its transport, its circuit breaker and the pause it asked for. */
export class Endpoint {
  readonly host: string;
  /** Providers serve PubSub under the same host, port and path. A bare validator uses the next port; then it is configured. */
  readonly wsUrl: string;
  readonly #transport: RpcTransport;
  readonly #breaker: CircuitBreakerPolicy;
  readonly #hooks: ChainHooks;
  /** By method, until when the node asked for patience: it meters listings apart from reads, and one must not hold up the other. */
  readonly #restUntilMs = new Map<string, number>();
  #lastReason = 'failed before';

  constructor(url: string, { breakerFailures, breakerPauseMs, hooks }: EndpointOptions) {
    this.host = new URL(url).host;
    this.wsUrl = url.replace(/^http/i, 'ws');
    this.#hooks = hooks;
    this.#transport = createNodeTransport(url);
    this.#breaker = circuitBreaker(
      handleWhen((error) => error instanceof AttemptFailed && error.failure.isFault),
      {
        breaker: new ConsecutiveBreaker(breakerFailures),
        halfOpenAfter: new ExponentialBackoff({
          initialDelay: breakerPauseMs,
          maxDelay: breakerPauseMs * LONGEST_PAUSES,
        }),
      },
    );
    this.#breaker.onBreak(() => this.#announce('open', this.#lastReason));
    this.#breaker.onReset(() => this.#announce('closed', 'answers again'));
  }

  /** One attempt. Throws only the reason of the caller's own signal. */
  async attempt(payload: RpcPayload, timeoutMs: number, signal?: AbortSignal): Promise<Attempt> {
    const untilMs = this.#restUntilMs.get(payload.method) ?? 0;
    if (Date.now() < untilMs) return { kind: 'resting', reason: this.#lastReason, untilMs };
    try {
      return { kind: 'answered', response: await this.#breaker.execute(() => this.#send(payload, timeoutMs, signal)) };
    } catch (error) {
      if (isBrokenCircuitError(error)) return { kind: 'resting', reason: this.#lastReason };
      if (error instanceof AttemptFailed) return { kind: 'failed', failure: error.failure };
      throw error;
    }
  }

  async #send(payload: RpcPayload, timeoutMs: number, signal?: AbortSignal): Promise<unknown> {
    const startMs = performance.now();
    const limit = startTimeLimit(timeoutMs, signal);
    const report = (outcome: 'ok' | 'aborted' | Failure['outcome'], reason?: string) =>
      this.#hooks.onAttempt?.({
        method: payload.method,
        host: this.host,
        outcome,
        durationMs: performance.now() - startMs,
        ...(reason !== undefined && { reason }),
      });
    try {
      const response = await this.#transport<unknown>({ payload, signal: limit.signal });
      const { error, result } = response as { readonly error?: JsonRpcError; readonly result?: unknown };
      if (error !== undefined) throw new AttemptFailed(classifyJsonRpcError(error));
      if (!isAnswerTo(payload.method, payload.params, result))
        throw new AttemptFailed(describeNoAnswer(payload.method));
      report('ok');
      return response;
    } catch (error) {
      if (signal?.aborted) {
        report('aborted');
        throw signal.reason;
      }
      const failure = error instanceof AttemptFailed ? error.failure : classifyThrown(error, timeoutMs);
      this.#lastReason = failure.reason;
      if (failure.retryAfterMs !== undefined) this.#restUntilMs.set(payload.method, Date.now() + failure.retryAfterMs);
      report(failure.outcome, failure.reason);
      throw new AttemptFailed(failure);
    } finally {
      limit.clear();
    }
  }

  #announce(state: 'open' | 'closed', reason: string): void {
    this.#hooks.onEndpointState?.({ host: this.host, state, reason });
  }
}
