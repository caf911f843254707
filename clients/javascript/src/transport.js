import { ServiceError, UnreachableError } from './errors.js';

/** A wait is lengthened by up to this much, so that many who were told the same do not come back at once. */
const SPREAD_MS = 250;
/** Answers to whoever came too soon, or while the service was away: nothing was done for them. */
const WAITING_STATUSES = [429, 503];

/**
 * @typedef {object} TransportOptions
 * @property {string} baseUrl
 * @property {Readonly<Record<string, string>>} headers Sent with every request.
 * @property {number} timeoutMs Of one attempt.
 * @property {number} maxWaitMs What one call waits in all before it gives up.
 * @property {typeof fetch} fetch
 */

/**
 * @typedef {object} CallOptions
 * @property {AbortSignal} [signal] Ends the call, its waits too, with the signal's own reason.
 */

/**
 * @typedef {object} Request
 * @property {string} method
 * @property {string} path From the base URL on, escaped already.
 * @property {Readonly<Record<string, unknown>>} [query]
 * @property {unknown} [body]
 * @property {Readonly<Record<string, string>>} [headers]
 * @property {boolean} [once] Never again, also where the service was away: it might have been done.
 */

/** One base URL, asked as the service wants to be asked: in time, again when it says so, never elsewhere. */
export class Transport {
  #options;

  /** @param {TransportOptions} options */
  constructor(options) {
    this.#options = options;
  }

  /**
   * @param {Request} request
   * @param {CallOptions} [options]
   * @returns {Promise<any>} The body, parsed; null where there is none.
   * @throws {ServiceError} The service refused.
   * @throws {UnreachableError} It did not answer, or something else did.
   */
  async call(request, { signal } = {}) {
    let leftMs = this.#options.maxWaitMs;
    for (;;) {
      const { response, text } = await this.#send(request, signal);
      if (response.ok) return text === '' ? null : parse(text, request, response.status);
      const { error, retryAfter } = refusal(request, response, text);
      const again = WAITING_STATUSES.includes(response.status) && !(request.once && response.status === 503);
      if (!again || retryAfter === null || retryAfter * 1000 > leftMs) throw error;
      leftMs -= retryAfter * 1000;
      await wait(retryAfter * 1000 + Math.random() * SPREAD_MS, signal);
    }
  }

  /**
   * @param {Request} request
   * @param {AbortSignal | undefined} signal
   */
  async #send({ method, path, query, body, headers }, signal) {
    const { baseUrl, headers: always, timeoutMs, fetch } = this.#options;
    const late = AbortSignal.timeout(timeoutMs);
    try {
      const response = await fetch(`${baseUrl}${path}${queryText(query)}`, {
        method,
        headers: {
          accept: 'application/json',
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...always,
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body, exactly) }),
        // A token is for one host: whoever wants to be asked elsewhere is named in baseUrl.
        redirect: 'error',
        signal: signal === undefined ? late : AbortSignal.any([signal, late]),
      });
      return { response, text: await response.text() };
    } catch (cause) {
      signal?.throwIfAborted();
      const why = late.aborted ? `within ${timeoutMs} ms` : `(${reasonOf(cause)})`;
      throw new UnreachableError(`${method} ${baseUrl}${path}: no answer ${why}`, { cause });
    }
  }
}

/** @param {unknown} cause */
function reasonOf(cause) {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  return inner instanceof Error ? inner.message : String(inner);
}

/**
 * @param {string} text
 * @param {Request} request
 * @param {number} status
 */
function parse(text, { method, path }, status) {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UnreachableError(`${method} ${path}: answered ${status} with something that is not JSON`, { cause });
  }
}

/**
 * @param {Request} request
 * @param {Response} response
 * @param {string} text
 */
function refusal({ method, path }, { status, headers }, text) {
  /** @type {any} */
  let body = null;
  try {
    body = JSON.parse(text);
  } catch {
    // A proxy's page; its words are not shown, since nobody knows whose they are.
  }
  const told = Number(headers.get('retry-after') ?? body?.retry_after_s ?? Number.NaN);
  const retryAfter = Number.isFinite(told) && told >= 0 ? told : null;
  const requestId = headers.get('x-request-id');
  const error =
    typeof body?.code === 'string' && typeof body.error === 'string'
      ? new ServiceError(body, { status, retryAfter, requestId })
      : new UnreachableError(`${method} ${path}: answered ${status}, and not as the service does`);
  return { error, retryAfter };
}

/** @param {Readonly<Record<string, unknown>>} [query] */
function queryText(query = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  if (given.length === 0) return '';
  return `?${new URLSearchParams(given.map(([name, value]) => [name, textOf(value)]))}`;
}

/**
 * @param {unknown} value
 * @returns {string}
 */
function textOf(value) {
  if (value instanceof Date) return value.toISOString();
  return Array.isArray(value) ? value.map(textOf).join(',') : String(value);
}

/**
 * What JSON has no words for is sent as text, which the service takes.
 * @param {string} _name
 * @param {unknown} value
 */
function exactly(_name, value) {
  return typeof value === 'bigint' ? value.toString() : value;
}

/**
 * @param {number} ms
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<void>}
 */
function wait(ms, signal) {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
