import { isLendingError, type LendingError } from './lending-error.ts';
import { WIRE_CODES, type WireCode, type WireCodeEntry } from './wire-codes.ts';

/** The error body of every door: REST sends it as it is, MCP as an `isError` result. */
export interface WireError {
  /** What was wrong, what is allowed, what to do next. */
  readonly error: string;
  readonly code: WireCode;
  readonly details: Readonly<Record<string, unknown>>;
  readonly retryable: boolean;
  /** Seconds to wait before the same call; REST sends it as `Retry-After` as well. */
  readonly retry_after_s?: number;
  /** Where it says what the code means, what to change, whether to retry: an MCP resource, over HTTP a URL. */
  readonly docs: string;
}

/** What an agent addresses the page of a code by, before the code. */
export const MCP_DOCS_BASE = 'svc://errors/';

/** The fixed HTTP status of a wire code. */
export function wireStatus(code: WireCode): number {
  return WIRE_CODES[code].status;
}

/** Whether an error is for the operator to look at: what a caller did wrong is no failure of the service, and is not logged as one. */
export function isForOperator(error: unknown): boolean {
  return !isLendingError(error) || error.entry.audience === 'operator';
}

/**
 * What of an error may leave the process. An operator error leaves without its text, because that text can name hosts,
 * queries and paths: as `UPSTREAM_UNAVAILABLE` when it may pass, as `INTERNAL` when it stays until someone acts. A surprise is
 * `INTERNAL` too, and worth another try, as nothing says otherwise. `docsBase` is what the page of a code is addressed by, before the code.
 */
export function toWireError(error: unknown, docsBase = MCP_DOCS_BASE): WireError {
  const wire = withoutDocs(error);
  return { ...wire, docs: `${docsBase}${wire.code}` };
}

function withoutDocs(error: unknown): Omit<WireError, 'docs'> {
  if (!isLendingError(error)) return body('INTERNAL', 'The service failed on its side; try again later', {}, true);
  if (error.entry.audience === 'caller') return body(error.entry.wire, error.message, error.context, error.isRetryable);
  return operatorError(error);
}

function operatorError(error: LendingError): Omit<WireError, 'docs'> {
  return error.isRetryable
    ? body('UPSTREAM_UNAVAILABLE', 'A part of the service is not reachable; try again in a few seconds', {}, true)
    : body(
        'INTERNAL',
        'The service cannot answer this until its operator acts; the same call will fail again',
        {},
        false,
      );
}

function body(
  code: WireCode,
  error: string,
  details: Readonly<Record<string, unknown>>,
  retryable: boolean,
): Omit<WireError, 'docs'> {
  const { retryAfterS }: WireCodeEntry = WIRE_CODES[code];
  const retry = retryAfterS === undefined ? {} : { retry_after_s: toldWait(details) ?? retryAfterS };
  return { error, code, details, retryable, ...retry };
}

/** Whoever makes us wait may say how long; whole seconds, as the header takes them. */
function toldWait({ retry_after_s: told }: Readonly<Record<string, unknown>>): number | null {
  return typeof told === 'number' && Number.isFinite(told) && told >= 0 ? Math.max(1, Math.ceil(told)) : null;
}
