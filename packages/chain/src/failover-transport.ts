import { setTimeout as sleep } from 'node:timers/promises';
import { LendingError } from '@lending/errors';
import { inChildSpan, type NewSpan } from '@lending/tracing';
import { SpanKind, trace } from '@opentelemetry/api';
import { getSolanaErrorFromJsonRpcError, type RpcTransport } from '@solana/kit';
import { decorrelatedJitterGenerator, ExponentialBackoff, type IBackoff } from 'cockatiel';
import type { ClusterGuard } from './cluster-guard.ts';
import { coalesceReads } from './coalesce.ts';
import type { Endpoint, RpcPayload } from './endpoint.ts';
import type { Failure, JsonRpcError } from './failure.ts';
import type { SlotGuard } from './slot-guard.ts';

export interface FailoverOptions {
  /** Whom to ask, in this order: asked before every round. */
  readonly endpoints: () => readonly Endpoint[];
  readonly guard: ClusterGuard;
  readonly slotGuard: SlotGuard;
  readonly requestTimeoutMs: number;
  readonly deadlineMs: number;
  readonly maxRounds: number;
  readonly minBackoffMs: number;
  readonly maxBackoffMs: number;
  /** Sees every request. */
  readonly onRequest: () => void;
  /** Sees every answer, for what it says of slots. */
  readonly onAnswer: (endpoint: Endpoint, payload: RpcPayload, response: unknown) => void;
}

/** Requests that change something. They are tried elsewhere only when a node certainly did not act on them. */
const WRITES: ReadonlySet<string> = new Set(['requestAirdrop', 'sendBundle', 'sendTransaction']);

/** Answered with null by a node that has not heard of it yet, or no longer knows it: others are asked, too. */
const NODE_MAY_LACK: ReadonlySet<string> = new Set(['getTransaction']);

/** Why the endpoints failed, last reason each. */
type Failures = Map<string, { readonly failure?: Failure; readonly reason: string }>;

/**
 * A kit transport over several endpoints. One request goes: every endpoint in order, at once; a jittered pause; again, until it is
 * answered, refused for good, out of rounds, or past the deadline. A transaction is absent only when no endpoint that answers has it. The
 * payload is never changed on the way.
 * @throws CHAIN__RPC_UNAVAILABLE, CHAIN__RPC_TIMED_OUT, CHAIN__RPC_INVALID, CHAIN__CLUSTER_MISMATCH, or the signal's reason.
 */
export function createFailoverTransport(options: FailoverOptions): RpcTransport {
  const send = coalesceReads(
    (payload, signal) => sendWithFailover(payload, signal, options),
    (method) => !WRITES.has(method),
  );
  const ask = async (payload: RpcPayload, signal: AbortSignal | undefined) => {
    try {
      return await send(payload, signal);
    } catch (error) {
      throw signal?.aborted ? describeAbort(signal, payload) : error;
    }
  };
  return <T>({ payload, signal }: { readonly payload: unknown; readonly signal?: AbortSignal }) =>
    inChildSpan(
      'lending.chain',
      () => spanOf(payload as RpcPayload),
      async () => (await ask(payload as RpcPayload, signal)) as T as never,
    );
}

/** What is asked, never with what: endpoints are told apart by their hosts, since paths hold keys. */
function spanOf({ method }: RpcPayload): NewSpan {
  return { name: method, kind: SpanKind.CLIENT, attributes: { 'rpc.system.name': 'jsonrpc', 'rpc.method': method } };
}

async function sendWithFailover(payload: RpcPayload, signal: AbortSignal, options: FailoverOptions): Promise<unknown> {
  options.onRequest();
  const endsAtMs = Date.now() + options.deadlineMs;
  const failures: Failures = new Map();
  let backoff: IBackoff<unknown> = new ExponentialBackoff({
    generator: decorrelatedJitterGenerator,
    initialDelay: options.minBackoffMs,
    maxDelay: options.maxBackoffMs,
  }).next();
  for (let round = 1; ; round += 1) {
    const outcome = await sendRound(payload, signal, endsAtMs, failures, options);
    if (outcome.kind === 'answered') return outcome.response;
    const delayMs = Math.max(backoff.duration, outcome.waitMs);
    if (!outcome.mayRetry || round >= options.maxRounds || Date.now() + delayMs >= endsAtMs)
      throw describeFailures(payload, failures, outcome.mismatch);
    await sleep(delayMs, undefined, { signal });
    backoff = backoff.next(undefined);
  }
}

type RoundOutcome =
  | { readonly kind: 'answered'; readonly response: unknown }
  | {
      readonly kind: 'failed';
      readonly mayRetry: boolean;
      readonly waitMs: number;
      readonly mismatch: LendingError | undefined;
    };

async function sendRound(
  payload: RpcPayload,
  signal: AbortSignal,
  endsAtMs: number,
  failures: Failures,
  options: FailoverOptions,
): Promise<RoundOutcome> {
  let mayRetry = false;
  let waitMs = Number.POSITIVE_INFINITY;
  let mismatch: LendingError | undefined;
  let absent: RoundOutcome | undefined;
  for (const endpoint of options.endpoints()) {
    const timeoutMs = Math.min(options.requestTimeoutMs, endsAtMs - Date.now());
    if (timeoutMs <= 0) break;
    const refusal = await options.guard.admit(endpoint, timeoutMs);
    if (refusal?.kind === 'mismatch') {
      mismatch = refusal.error;
      failures.set(endpoint.host, { reason: 'serves another cluster' });
      continue;
    }
    const doubt = await options.slotGuard.admit(endpoint, timeoutMs);
    if (doubt !== undefined) {
      failures.set(endpoint.host, { reason: doubt });
      continue;
    }
    const attempt = refusal ?? (await endpoint.attempt(payload, timeoutMs, signal));
    if (attempt.kind === 'answered') {
      const reason = await options.slotGuard.judge(endpoint, payload, attempt.response, timeoutMs);
      if (reason !== undefined) {
        failures.set(endpoint.host, { reason });
        continue;
      }
      trace.getActiveSpan()?.setAttribute('server.address', endpoint.host);
      options.onAnswer(endpoint, payload, attempt.response);
      if (!isAbsent(payload, attempt.response)) return attempt;
      absent = attempt;
      continue;
    }
    if (attempt.kind === 'resting') {
      const known = failures.get(endpoint.host);
      failures.set(endpoint.host, { ...known, reason: attempt.reason });
      if (attempt.untilMs !== undefined) {
        mayRetry = true;
        waitMs = Math.min(waitMs, attempt.untilMs - Date.now());
      }
      continue;
    }
    const { failure } = attempt;
    trace.getActiveSpan()?.addEvent('attempt.fail', { 'server.address': endpoint.host, outcome: failure.outcome });
    failures.set(endpoint.host, { failure, reason: failure.reason });
    if (failure.kind === 'final') throw describeRefusal(payload, endpoint.host, failure);
    if (WRITES.has(payload.method) && !failure.undelivered) throw describeFailures(payload, failures, undefined);
    if (failure.kind === 'passing') {
      mayRetry = true;
      waitMs = Math.min(waitMs, failure.retryAfterMs ?? 0);
    }
  }
  if (absent !== undefined) return absent;
  return { kind: 'failed', mayRetry, waitMs: Number.isFinite(waitMs) ? waitMs : 0, mismatch };
}

function isAbsent({ method }: RpcPayload, response: unknown): boolean {
  return NODE_MAY_LACK.has(method) && (response as { readonly result?: unknown }).result === null;
}

function describeRefusal({ method }: RpcPayload, host: string, failure: Failure): LendingError {
  const { cause } = failure;
  return new LendingError('CHAIN__RPC_INVALID', {
    message: `${host} refused ${method}: ${failure.reason}`,
    context: { method, host },
    cause: cause instanceof Error ? cause : toSolanaError(cause as JsonRpcError, failure.reason),
  });
}

/** As kit words it; kit throws at codes of providers that it does not know, and at known ones without their data. */
function toSolanaError(error: JsonRpcError, reason: string): Error {
  try {
    return getSolanaErrorFromJsonRpcError(error as never);
  } catch {
    return new Error(`JSON-RPC error: ${reason}`);
  }
}

function describeFailures(payload: RpcPayload, failures: Failures, mismatch: LendingError | undefined): LendingError {
  const { method } = payload;
  const last = [...failures.values()].flatMap(({ failure }) => (failure === undefined ? [] : [failure]));
  if (last.length === 0 && mismatch !== undefined) return mismatch;
  const refused = last.find(({ kind }) => kind === 'endpoint');
  if (refused !== undefined && last.every(({ kind }) => kind === 'endpoint'))
    return describeRefusal(payload, [...failures.keys()].join(', '), refused);
  const isTimeout = last.length > 0 && last.every(({ outcome }) => outcome === 'timed-out');
  const where = [...failures].map(([host, { reason }]) => `${host} (${reason})`).join(', ');
  return new LendingError(isTimeout ? 'CHAIN__RPC_TIMED_OUT' : 'CHAIN__RPC_UNAVAILABLE', {
    message: `${isTimeout ? 'The RPC node did not answer in time' : 'No RPC node answers'} ${method}: ${where}`,
    context: { method, hosts: [...failures.keys()] },
    cause: last.at(-1)?.cause,
  });
}

/** A caller's deadline is a timeout like ours; any other abort is the caller's own reason. */
function describeAbort(signal: AbortSignal, { method }: RpcPayload): unknown {
  const { reason } = signal;
  if (!(reason instanceof Error) || reason.name !== 'TimeoutError') return reason;
  return new LendingError('CHAIN__RPC_TIMED_OUT', {
    message: `The RPC node did not answer ${method} within the caller's deadline`,
    context: { method },
    cause: reason,
  });
}
