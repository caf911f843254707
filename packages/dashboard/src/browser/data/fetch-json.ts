/** Why a request was not answered with what it asked for. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  /** The wire's code, or `UNREACHABLE` where nothing answered. */
  readonly code: string;
  /** HTTP status; 0 where nothing answered. */
  readonly status: number;
  /** When it is worth asking again, s; null where nobody said. */
  readonly retryAfterSeconds: number | null;

  constructor(
    message: string,
    options: { code: string; status: number; retryAfterSeconds?: number | null; cause?: unknown },
  ) {
    super(message, { cause: options.cause });
    this.code = options.code;
    this.status = options.status;
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
  }
}

/**
 * One GET of the service's own API.
 * @throws RequestError with the wire's words; the signal's reason when it aborts.
 */
export async function fetchJson<T>(path: string, signal: AbortSignal): Promise<T> {
  const response = await fetch(path, { signal, headers: { accept: 'application/json' } }).catch((error: unknown) => {
    signal.throwIfAborted();
    throw new RequestError('The service does not answer.', { code: 'UNREACHABLE', status: 0, cause: error });
  });
  const body: unknown = await response.json().catch(() => {
    signal.throwIfAborted();
    return null;
  });
  if (response.ok && body !== null) return body as T;
  throw toRequestError(response.status, body);
}

function toRequestError(status: number, body: unknown): RequestError {
  const { error, code, retry_after_s } = (typeof body === 'object' && body !== null ? body : {}) as WireError;
  return new RequestError(typeof error === 'string' ? error : `The service answered ${status} without a reason.`, {
    code: typeof code === 'string' ? code : 'UNREADABLE',
    status,
    retryAfterSeconds: typeof retry_after_s === 'number' ? retry_after_s : null,
  });
}

interface WireError {
  readonly error?: unknown;
  readonly code?: unknown;
  readonly retry_after_s?: unknown;
}
