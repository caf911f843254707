/**
 * The codes of `design §5` that this build can answer with, and what each says to the one who called.
 *
 * `status`       the fixed HTTP status.
 * `retry`        whether the same call may succeed later without a change: `backoff` yes, `never` no, `varies` as the error's own
 *                `retryable` says.
 * `retryAfterS`  seconds to wait, where one figure fits: about one beat of the poller, one reconnect.
 *
 * `docs/errors.md` lists them too; a test compares the two both ways.
 */
export const WIRE_CODES = {
  INVALID_ARGUMENT: {
    status: 400,
    retry: 'never',
    meaning: 'An argument is missing, unknown or has a value that is not allowed',
    change: 'Correct what `details.field` or `details.fields` names; `error` says what is allowed',
  },
  BANK_NOT_FOUND: {
    status: 404,
    retry: 'never',
    meaning: 'No bank has the address that was given',
    change: 'Use an address that `svc_get_banks` or `GET /v1/banks` lists',
  },
  NOT_FOUND: {
    status: 404,
    retry: 'never',
    meaning: 'There is no such path',
    change: 'Use a path and method of `/v1/openapi.json`',
  },
  ORACLE_STALE: {
    status: 422,
    retry: 'backoff',
    meaning: 'The price of a bank is older than the bank allows',
    change: 'Nothing: wait until the oracle was updated, or choose another bank; `details` names the bank and the age',
  },
  INTERNAL: {
    status: 500,
    retry: 'varies',
    meaning: 'The service failed on its side',
    change: 'Nothing in the call; if it stays, report the time of the call to the operator',
  },
  DATA_STALE: {
    status: 503,
    retry: 'backoff',
    retryAfterS: 10,
    meaning: 'What was asked has not been read from the chain yet, or cannot be read at present',
    change: 'Nothing: wait until `GET /readyz` answers 200, or choose another bank where the error names one',
  },
  UPSTREAM_UNAVAILABLE: {
    status: 503,
    retry: 'backoff',
    retryAfterS: 5,
    meaning: 'A part that the service depends on is not reachable',
    change: 'Nothing: wait a few seconds; `GET /v1/status` names the part',
  },
} as const satisfies Record<string, WireCodeEntry>;

export interface WireCodeEntry {
  readonly status: number;
  readonly retry: 'never' | 'backoff' | 'varies';
  readonly retryAfterS?: number;
  readonly meaning: string;
  readonly change: string;
}

export type WireCode = keyof typeof WIRE_CODES;
