/** What everything that goes wrong here extends; arguments of the wrong kind are a `TypeError`. */
export class LendingError extends Error {
  /**
   * @param {string} message
   * @param {{ cause?: unknown }} [options]
   */
  constructor(message, options) {
    super(message, options);
    this.name = new.target.name;
  }
}

/**
 * The service said no, and what to change. Branch on `code`, never on the message.
 * @example
 * if (error instanceof ServiceError && error.code === 'BORROW_LIMIT_EXCEEDED') retryWith(error.details.max_borrow);
 */
export class ServiceError extends LendingError {
  /** @type {string} Stable, such as `RATE_LIMITED`; its HTTP status is fixed. */
  code;
  /** @type {number} */
  status;
  /** @type {Readonly<Record<string, any>>} Facts of that code, such as `max_borrow` or `accounts`. */
  details;
  /** @type {boolean} Whether the same call may succeed later. */
  retryable;
  /** @type {number | null} Seconds to wait before that; null where the service does not say. */
  retryAfter;
  /** @type {string | null} Where the code is explained. */
  docs;
  /** @type {string | null} Names the request in the service's log. */
  requestId;

  /**
   * @param {WireError} body
   * @param {{ status: number, retryAfter: number | null, requestId: string | null }} answer
   */
  constructor(body, { status, retryAfter, requestId }) {
    super(`${body.code}: ${body.error}`);
    this.code = body.code;
    this.status = status;
    this.details = body.details ?? {};
    this.retryable = body.retryable === true;
    this.retryAfter = retryAfter;
    this.docs = body.docs ?? null;
    this.requestId = requestId;
  }
}

/** No answer, none in time, or one that is not the service's: a proxy's page, half a body. */
export class UnreachableError extends LendingError {}

/**
 * An envelope that cannot be handed over, or was and came to nothing.
 *
 * `malformed` it is none; `preview` it has no bytes; `expired` its blockhash is over: build again; `no_bundle` it is a bundle and nobody
 * sends bundles; `unsigned` the signer gave back something else than one signed transaction for each; `failed` one failed in its block.
 */
export class EnvelopeError extends LendingError {
  /** @type {'malformed' | 'preview' | 'expired' | 'no_bundle' | 'unsigned' | 'failed'} */
  kind;
  /** @type {readonly string[]} Signatures of those that were sent before, in order; the last one is what failed. */
  signatures;

  /**
   * @param {EnvelopeError['kind']} kind
   * @param {string} message
   * @param {{ signatures?: readonly string[], cause?: unknown }} [options]
   */
  constructor(kind, message, { signatures = [], ...options } = {}) {
    super(message, options);
    this.kind = kind;
    this.signatures = signatures;
  }
}

/**
 * @typedef {object} WireError The body of every error.
 * @property {string} error What was wrong — what is allowed — the next call.
 * @property {string} code
 * @property {Record<string, any>} [details]
 * @property {boolean} [retryable]
 * @property {number} [retry_after_s]
 * @property {string} [docs]
 */
