import { isSolanaError, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR } from '@solana/kit';

/**
 * Why an attempt failed and what follows.
 * `final`      the node understood and refused; another attempt gives the same.
 * `endpoint`   this endpoint will not serve it (bad key, method switched off); another one may.
 * `passing`    the same endpoint may answer later.
 */
export interface Failure {
  readonly kind: 'final' | 'endpoint' | 'passing';
  readonly outcome: 'refused' | 'unavailable' | 'timed-out';
  /** Short and free of URLs: `HTTP 503`, `ECONNREFUSED`, `no answer in 5000 ms`. */
  readonly reason: string;
  readonly retryAfterMs?: number;
  /** Something is wrong with the endpoint; being behind a slot, over a quota or asked nonsense is not. */
  readonly isFault: boolean;
  /** The node certainly did not act on the request, so that even a write may be tried elsewhere. */
  readonly undelivered?: boolean;
  readonly cause: unknown;
}

const METHOD_NOT_FOUND = -32601;
/** "Internal error": of this node, at this moment. */
const INTERNAL_ERROR = -32603;
/** Over a quota, where a provider says so in the answer and not by the HTTP status. */
const OVER_QUOTA: ReadonlySet<number> = new Set([429, -32429]);
/** "Node is unhealthy / behind". */
const NODE_UNHEALTHY = -32005;
/** "Minimum context slot has not been reached". */
const MIN_CONTEXT_SLOT_NOT_REACHED = -32016;

/** "Transaction history is not available from this node". */
const HISTORY_NOT_AVAILABLE = -32011;
/** "… excluded from account secondary indexes; this RPC method unavailable for key". */
const KEY_NOT_INDEXED = -32010;

/** What one node does not serve, and another one may. */
const NOT_SERVED_HERE: ReadonlySet<number> = new Set([METHOD_NOT_FOUND, HISTORY_NOT_AVAILABLE, KEY_NOT_INDEXED]);

/** A JSON-RPC error object as a node sends it; integers may have been parsed as bigint. */
export interface JsonRpcError {
  readonly code: number | bigint;
  readonly message: string;
  readonly data?: unknown;
}

export function classifyJsonRpcError(error: JsonRpcError): Failure {
  const code = Number(error.code);
  const reason = `${code} ${String(error.message).slice(0, 200)}`;
  if (OVER_QUOTA.has(code))
    return { kind: 'passing', outcome: 'unavailable', reason, isFault: false, undelivered: true, cause: error };
  if (code === NODE_UNHEALTHY || code === MIN_CONTEXT_SLOT_NOT_REACHED || code === INTERNAL_ERROR)
    return { kind: 'passing', outcome: 'unavailable', reason, isFault: code === NODE_UNHEALTHY, cause: error };
  const kind = NOT_SERVED_HERE.has(code) ? 'endpoint' : 'final';
  return { kind, outcome: 'refused', reason, isFault: false, undelivered: kind === 'endpoint', cause: error };
}

/** JSON that is no answer to what was asked: of a proxy, or of a node that is not well. */
export function describeNoAnswer(method: string): Failure {
  const reason = `no answer to ${method}`;
  return { kind: 'passing', outcome: 'unavailable', reason, isFault: true, cause: new TypeError(reason) };
}

/** Sorts what a transport threw: an HTTP status, a timeout of ours, or anything the network does. */
export function classifyThrown(error: unknown, timeoutMs: number): Failure {
  if (isSolanaError(error, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR)) return classifyHttp(error.context, error);
  if (error instanceof Error && error.name === 'TimeoutError')
    return {
      kind: 'passing',
      outcome: 'timed-out',
      reason: `no answer in ${timeoutMs} ms`,
      isFault: true,
      cause: error,
    };
  const code = networkCode(error);
  const undelivered = code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'EAI_AGAIN';
  const reason = code ?? (error instanceof SyntaxError ? 'not a JSON answer' : 'connection failed');
  return { kind: 'passing', outcome: 'unavailable', reason, isFault: true, undelivered, cause: error };
}

function classifyHttp(context: { readonly statusCode: number; readonly headers: Headers }, cause: unknown): Failure {
  const { statusCode, headers } = context;
  const reason = `HTTP ${statusCode}`;
  if (statusCode === 429) {
    const retryAfterMs = parseRetryAfter(headers.get('retry-after'), Date.now());
    return {
      kind: 'passing',
      outcome: 'unavailable',
      reason,
      isFault: false,
      undelivered: true,
      cause,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    };
  }
  if (statusCode >= 500 || statusCode === 408)
    return { kind: 'passing', outcome: 'unavailable', reason, isFault: true, cause };
  if (statusCode === 413) return { kind: 'final', outcome: 'refused', reason, isFault: false, cause };
  return { kind: 'endpoint', outcome: 'refused', reason, isFault: false, undelivered: true, cause };
}

/** Milliseconds of a `Retry-After` header: whole seconds or an HTTP date. */
export function parseRetryAfter(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header.trim())) return Number(header) * 1000;
  const dateMs = Date.parse(header);
  return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - nowMs);
}

function networkCode(error: unknown): string | undefined {
  for (let current = error, depth = 0; current instanceof Error && depth < 4; depth += 1) {
    const { code, errors } = current as NodeJS.ErrnoException & { errors?: readonly unknown[] };
    if (typeof code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(code)) return code;
    current = current.cause ?? errors?.[0];
  }
  return undefined;
}
