export type TransportOptions = {
    baseUrl: string;
    /**
     * Sent with every request.
     */
    headers: Readonly<Record<string, string>>;
    /**
     * Of one attempt.
     */
    timeoutMs: number;
    /**
     * What one call waits in all before it gives up.
     */
    maxWaitMs: number;
    fetch: typeof fetch;
};
export type CallOptions = {
    /**
     * Ends the call, its waits too, with the signal's own reason.
     */
    signal?: AbortSignal;
};
export type Request = {
    method: string;
    /**
     * From the base URL on, escaped already.
     */
    path: string;
    query?: Readonly<Record<string, unknown>>;
    body?: unknown;
    headers?: Readonly<Record<string, string>>;
    /**
     * Never again, also where the service was away: it might have been done.
     */
    once?: boolean;
};
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
export declare class Transport {
    #private;
    /** @param {TransportOptions} options */
    constructor(options: TransportOptions);
    /**
     * @param {Request} request
     * @param {CallOptions} [options]
     * @returns {Promise<any>} The body, parsed; null where there is none.
     * @throws {ServiceError} The service refused.
     * @throws {UnreachableError} It did not answer, or something else did.
     */
    call(request: Request, { signal }?: CallOptions): Promise<any>;
}
