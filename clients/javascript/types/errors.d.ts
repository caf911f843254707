/** What everything that goes wrong here extends; arguments of the wrong kind are a `TypeError`. */
export declare class LendingError extends Error {
    /**
     * @param {string} message
     * @param {{ cause?: unknown }} [options]
     */
    constructor(message: string, options?: {
        cause?: unknown;
    });
}
/**
 * The service said no, and what to change. Branch on `code`, never on the message.
 * @example
 * if (error instanceof ServiceError && error.code === 'BORROW_LIMIT_EXCEEDED') retryWith(error.details.max_borrow);
 */
export declare class ServiceError extends LendingError {
    /** @type {string} Stable, such as `RATE_LIMITED`; its HTTP status is fixed. */
    code: string;
    /** @type {number} */
    status: number;
    /** @type {Readonly<Record<string, any>>} Facts of that code, such as `max_borrow` or `accounts`. */
    details: Readonly<Record<string, any>>;
    /** @type {boolean} Whether the same call may succeed later. */
    retryable: boolean;
    /** @type {number | null} Seconds to wait before that; null where the service does not say. */
    retryAfter: number | null;
    /** @type {string | null} Where the code is explained. */
    docs: string | null;
    /** @type {string | null} Names the request in the service's log. */
    requestId: string | null;
    /**
     * @param {WireError} body
     * @param {{ status: number, retryAfter: number | null, requestId: string | null }} answer
     */
    constructor(body: WireError, { status, retryAfter, requestId }: {
        status: number;
        retryAfter: number | null;
        requestId: string | null;
    });
}
/** No answer, none in time, or one that is not the service's: a proxy's page, half a body. */
export declare class UnreachableError extends LendingError {
}
/**
 * An envelope that cannot be handed over, or was and came to nothing.
 *
 * `malformed` it is none; `preview` it has no bytes; `expired` its blockhash is over: build again; `no_bundle` it is a bundle and nobody
 * sends bundles; `unsigned` the signer gave back something else than one signed transaction for each; `failed` one failed in its block.
 */
export declare class EnvelopeError extends LendingError {
    /** @type {'malformed' | 'preview' | 'expired' | 'no_bundle' | 'unsigned' | 'failed'} */
    kind: 'malformed' | 'preview' | 'expired' | 'no_bundle' | 'unsigned' | 'failed';
    /** @type {readonly string[]} Signatures of those that were sent before, in order; the last one is what failed. */
    signatures: readonly string[];
    /**
     * @param {EnvelopeError['kind']} kind
     * @param {string} message
     * @param {{ signatures?: readonly string[], cause?: unknown }} [options]
     */
    constructor(kind: EnvelopeError['kind'], message: string, { signatures, ...options }?: {
        signatures?: readonly string[];
        cause?: unknown;
    });
}
export type WireError = {
    /**
     * What was wrong — what is allowed — the next call.
     */
    error: string;
    code: string;
    details?: Record<string, any>;
    retryable?: boolean;
    retry_after_s?: number;
    docs?: string;
};
/**
 * @typedef {object} WireError The body of every error.
 * @property {string} error What was wrong — what is allowed — the next call.
 * @property {string} code
 * @property {Record<string, any>} [details]
 * @property {boolean} [retryable]
 * @property {number} [retry_after_s]
 * @property {string} [docs]
 */
