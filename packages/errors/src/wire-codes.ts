/**
 * Every code an answer can carry, and what each says to the one who called.
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
  UNAUTHENTICATED: {
    status: 401,
    retry: 'never',
    meaning: 'The bearer token is missing, unknown or revoked',
    change: 'Send `Authorization: Bearer` with a valid token',
  },
  BANK_NOT_FOUND: {
    status: 404,
    retry: 'never',
    meaning: 'No bank has the address that was given',
    change: 'Use an address that `svc_get_banks` or `GET /v1/banks` lists',
  },
  ACCOUNT_NOT_FOUND: {
    status: 404,
    retry: 'never',
    meaning: 'There is no such account',
    change: 'Correct `account` or `authority`; `svc_create_account` opens a new one',
  },
  DOC_NOT_FOUND: {
    status: 404,
    retry: 'never',
    meaning: 'No page of the guide has this name',
    change: 'Use a slug that `svc_search_docs` gives',
  },
  NOT_FOUND: {
    status: 404,
    retry: 'never',
    meaning: 'There is no such path, or nothing with that address or id at it',
    change: 'Use a path of `/v1/openapi.json`, or an address that its list names',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    retry: 'never',
    meaning: 'The path does not take this method',
    change: 'Use a method that the header `Allow` and `details.allowed` name',
  },
  ACCOUNT_AMBIGUOUS: {
    status: 409,
    retry: 'never',
    meaning: 'The wallet owns several accounts',
    change: 'Pass one of `details.accounts` as `account`',
  },
  IDEMPOTENCY_CONFLICT: {
    status: 409,
    retry: 'never',
    meaning: 'The idempotency key was used with other arguments',
    change: 'Send a new `idempotency_key`, or repeat the arguments of the first call',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    retry: 'never',
    meaning: 'The body is longer than is read',
    change: 'Send at most `details.max_bytes` bytes',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    retry: 'never',
    meaning: 'The body is of a media type that the path does not read',
    change: 'Send JSON, with `Content-Type: application/json`',
  },
  BORROW_LIMIT_EXCEEDED: {
    status: 422,
    retry: 'never',
    meaning: 'The borrow is above the most that lands now',
    change:
      'Lower `amount`, or the `leverage` of a loop, until at most `details.max_borrow` is borrowed; `details.limited_by` says what binds it',
  },
  WITHDRAW_LIMIT_EXCEEDED: {
    status: 422,
    retry: 'never',
    meaning: 'The withdrawal is above the most that lands now',
    change: 'Lower `amount` to what `svc_get_positions` shows as `max_withdraw_ui`',
  },
  DEPOSIT_LIMIT_EXCEEDED: {
    status: 422,
    retry: 'never',
    meaning: 'The deposit is above what the bank still takes',
    change: 'Lower `amount` to what `svc_get_banks` shows as left, or choose another bank',
  },
  REPAY_LIMIT_EXCEEDED: {
    status: 422,
    retry: 'never',
    meaning: 'The repayment is above what is owed, or above what one call may repay',
    change:
      'Lower `amount` to `details.max_repay`, or repay all; a close above what one call may repay: make the calls of `details.calls`, one after the other',
  },
  LEVERAGE_EXCEEDED: {
    status: 422,
    retry: 'never',
    meaning: 'The leverage is above what the pair allows, or above what lands now',
    change: 'Lower `leverage` to `details.max_leverage` at most',
  },
  INSUFFICIENT_BALANCE: {
    status: 422,
    retry: 'never',
    meaning: 'The wallet holds less than the action takes',
    change: 'Lower `amount`, or fund the wallet; `svc_get_wallet` shows what it holds',
  },
  INSUFFICIENT_COLLATERAL: {
    status: 422,
    retry: 'never',
    meaning: 'The action would leave the account with too little collateral',
    change: 'Lower `amount`, repay with `svc_repay`, or add collateral with `svc_deposit`',
  },
  BANK_NOT_BORROWABLE: {
    status: 422,
    retry: 'never',
    meaning: 'This bank cannot be borrowed from',
    change: 'Choose another `bank`; `svc_get_banks` shows which can be borrowed from',
  },
  BANK_PAUSED: {
    status: 422,
    retry: 'never',
    meaning: 'The bank, or the protocol, takes no such action at present',
    change:
      'Choose another `bank`; a pause of the whole protocol ends by itself after six hours at most, a halt by a circuit breaker at `details.until`',
  },
  ORACLE_STALE: {
    status: 422,
    retry: 'backoff',
    meaning: 'The price of a bank is older than the bank allows, or its circuit breaker does not take it',
    change:
      'Nothing: wait until the oracle was updated, or choose another bank; `details` names the bank and the age, or `limited_by` `circuit_breaker`',
  },
  ASSET_TAG_CONFLICT: {
    status: 422,
    retry: 'never',
    meaning: 'The account holds assets that this bank does not go with',
    change: 'Pass another `account`, or close the balances that conflict',
  },
  BALANCE_SLOTS_FULL: {
    status: 422,
    retry: 'never',
    meaning: 'The account has no free slot for another balance',
    change: 'Close a balance with `svc_withdraw` or `svc_repay`, or pass another `account`',
  },
  SWAP_ROUTE_UNAVAILABLE: {
    status: 422,
    retry: 'backoff',
    meaning: 'No swap at the price that was asked for',
    change:
      'Reduce the amount, or choose a more liquid pair: `details.pairs` names some; `details.tried` says why each offer was refused',
  },
  TX_TOO_LARGE: {
    status: 422,
    retry: 'never',
    meaning: 'The transaction does not fit',
    change:
      'Reduce the amount, choose a more liquid pair (`details.pairs` names some), or pass `transaction_version` 1 if the wallet signs it',
  },
  SIMULATION_FAILED: {
    status: 422,
    retry: 'never',
    meaning: 'The transaction would fail on the chain',
    change: 'Change what `error` names; `details.cause` is the program’s own error, `details.logs` the end of its logs',
  },
  POLICY_REFUSED: {
    status: 422,
    retry: 'never',
    meaning: 'The policy of the call refuses the action',
    change: 'Change what `error` names, or the `policy` that was passed',
  },
  RATE_LIMITED: {
    status: 429,
    retry: 'backoff',
    retryAfterS: 10,
    meaning: 'Too many calls in a minute, or streams at once',
    change: 'Wait for `details.retry_after_s` seconds',
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
  PROGRAM_UPGRADING: {
    status: 503,
    retry: 'backoff',
    retryAfterS: 60,
    meaning: 'The lending program is being upgraded: until that is done no transaction lands',
    change:
      'Nothing: wait a minute; reads go on, and `GET /v1/status` says under `program` how it stands. Verify and simulate return this code for a plan that was built before the upgrade: build it again',
  },
  PROGRAM_UNSUPPORTED: {
    status: 503,
    retry: 'never',
    meaning: 'The lending program that runs is none that the service builds transactions for',
    change: 'Nothing: reads go on; report `details.program.reason` to the operator',
  },
  BANK_UNVERIFIED: {
    status: 503,
    retry: 'never',
    meaning: 'Figures of the bank disagree with those that the program left on the chain',
    change:
      'Choose another bank, or report `details.residuals` to the operator; deposits, repayments, closes, and withdrawals from accounts without debt go on',
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
