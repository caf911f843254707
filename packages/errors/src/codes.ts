import type { WireCode } from './wire-codes.ts';

/**
 * Every error code of the service, once.
 *
 * A code is `AREA__CONDITION` and is never reused or renamed: logs, alerts and callers key on it. To add one, add a line
 * here and in `docs/errors.md`; a test compares the two both ways.
 *
 * `retry`     whether the same call may succeed later without a change (`backoff`) or not (`never`).
 * `audience`  `caller` codes name the wire code of the interface specification they leave the process as; `operator`
 *             codes never leave it, a caller sees `INTERNAL` or `UPSTREAM_UNAVAILABLE` instead.
 */
export const ERRORS = {
  ACTION__ASSET_TAG_MISMATCH: {
    message: 'The account holds assets that this bank does not go with',
    retry: 'never',
    audience: 'caller',
    wire: 'ASSET_TAG_CONFLICT',
  },
  ACTION__BALANCE_EXCEEDED: {
    message: 'The wallet holds less than the action takes',
    retry: 'never',
    audience: 'caller',
    wire: 'INSUFFICIENT_BALANCE',
  },
  ACTION__BANK_UNAVAILABLE: {
    message: 'The bank takes no such action at present',
    retry: 'never',
    audience: 'caller',
    wire: 'BANK_PAUSED',
  },
  ACTION__BANK_UNVERIFIED: {
    message: 'Figures of the bank disagree with those of the program',
    retry: 'never',
    audience: 'caller',
    wire: 'BANK_UNVERIFIED',
  },
  ACTION__BORROW_EXCEEDED: {
    message: 'The borrow is above what the account or the bank allows',
    retry: 'never',
    audience: 'caller',
    wire: 'BORROW_LIMIT_EXCEEDED',
  },
  ACTION__BORROW_UNSUPPORTED: {
    message: 'This bank cannot be borrowed from',
    retry: 'never',
    audience: 'caller',
    wire: 'BANK_NOT_BORROWABLE',
  },
  ACTION__COLLATERAL_EXCEEDED: {
    message: 'The action would leave the account with too little collateral',
    retry: 'never',
    audience: 'caller',
    wire: 'INSUFFICIENT_COLLATERAL',
  },
  ACTION__DEPOSIT_EXCEEDED: {
    message: 'The deposit is above what the bank takes',
    retry: 'never',
    audience: 'caller',
    wire: 'DEPOSIT_LIMIT_EXCEEDED',
  },
  ACTION__LEVERAGE_EXCEEDED: {
    message: 'The leverage is above what the pair allows',
    retry: 'never',
    audience: 'caller',
    wire: 'LEVERAGE_EXCEEDED',
  },
  ACTION__POLICY_INVALID: {
    message: 'The policy of the call refuses the action',
    retry: 'never',
    audience: 'caller',
    wire: 'POLICY_REFUSED',
  },
  ACTION__PROGRAM_UNSUPPORTED: {
    message: 'The lending program that runs is none that is built for',
    retry: 'never',
    audience: 'caller',
    wire: 'PROGRAM_UNSUPPORTED',
  },
  ACTION__PROGRAM_UPGRADING: {
    message: 'The lending program is being upgraded',
    retry: 'backoff',
    audience: 'caller',
    wire: 'PROGRAM_UPGRADING',
  },
  ACTION__REPAY_EXCEEDED: {
    message: 'The repayment is above what is owed, or above what one call may repay',
    retry: 'never',
    audience: 'caller',
    wire: 'REPAY_LIMIT_EXCEEDED',
  },
  ACTION__SIMULATION_INVALID: {
    message: 'The transaction would fail on the chain',
    retry: 'never',
    audience: 'caller',
    wire: 'SIMULATION_FAILED',
  },
  ACTION__SIMULATION_STALE: {
    message: 'The chain has moved on since the transaction was built',
    retry: 'backoff',
    audience: 'caller',
    wire: 'DATA_STALE',
  },
  ACTION__SLOTS_EXCEEDED: {
    message: 'The account has no free slot for another balance',
    retry: 'never',
    audience: 'caller',
    wire: 'BALANCE_SLOTS_FULL',
  },
  ACTION__SWAP_UNAVAILABLE: {
    message: 'No swap at the price that was asked for',
    retry: 'backoff',
    audience: 'caller',
    wire: 'SWAP_ROUTE_UNAVAILABLE',
  },
  ACTION__TRANSACTION_EXCEEDED: {
    message: 'The transaction does not fit',
    retry: 'never',
    audience: 'caller',
    wire: 'TX_TOO_LARGE',
  },
  ACTION__WITHDRAW_EXCEEDED: {
    message: 'The withdrawal is above what the account holds or the bank can pay',
    retry: 'never',
    audience: 'caller',
    wire: 'WITHDRAW_LIMIT_EXCEEDED',
  },
  BUS__MESSAGE_MALFORMED: {
    message: 'A message does not match the schema of its topic',
    retry: 'never',
    audience: 'operator',
  },
  BUS__OFFSET_MISMATCH: {
    message: 'Another consumer moved the offset of this partition',
    retry: 'backoff',
    audience: 'operator',
  },
  BUS__PUBLISH_TIMED_OUT: {
    message: 'The log did not take the messages in time',
    retry: 'backoff',
    audience: 'operator',
  },
  BUS__TOPIC_NOT_FOUND: { message: 'The topic does not exist', retry: 'never', audience: 'operator' },
  BUS__UNAVAILABLE: { message: 'The log cannot be reached', retry: 'backoff', audience: 'operator' },
  CALLER__CONNECTION_UNAVAILABLE: {
    message: 'The caller went away before the answer was there',
    retry: 'backoff',
    audience: 'caller',
    wire: 'UPSTREAM_UNAVAILABLE',
  },
  CALLER__IDEMPOTENCY_MISMATCH: {
    message: 'The idempotency key was used with other arguments',
    retry: 'never',
    audience: 'caller',
    wire: 'IDEMPOTENCY_CONFLICT',
  },
  CALLER__RATE_EXCEEDED: {
    message: 'Too many calls in a minute',
    retry: 'backoff',
    audience: 'caller',
    wire: 'RATE_LIMITED',
  },
  CALLER__TOKEN_INVALID: {
    message: 'The bearer token is missing, unknown or revoked',
    retry: 'never',
    audience: 'caller',
    wire: 'UNAUTHENTICATED',
  },
  CHAIN__BANKS_NOT_FOUND: {
    message: 'The group has no bank on this chain',
    retry: 'backoff',
    audience: 'operator',
  },
  CHAIN__CLUSTER_MISMATCH: { message: 'The RPC nodes serve different clusters', retry: 'never', audience: 'operator' },
  CHAIN__GRPC_UNSUPPORTED: {
    message: 'The Yellowstone gRPC client has no build for this machine',
    retry: 'never',
    audience: 'operator',
  },
  CHAIN__LISTING_INVALID: {
    message: 'The RPC node lists nothing of what it listed before',
    retry: 'backoff',
    audience: 'operator',
  },
  CHAIN__RPC_INVALID: { message: 'The RPC node refused the request', retry: 'never', audience: 'operator' },
  CHAIN__RPC_TIMED_OUT: {
    message: 'The RPC node did not answer in time',
    retry: 'backoff',
    audience: 'operator',
  },
  CHAIN__RPC_UNAVAILABLE: { message: 'No RPC node answers', retry: 'backoff', audience: 'operator' },
  CONFIG__INVALID: { message: 'A setting has a value that is not allowed', retry: 'never', audience: 'operator' },
  DATA__NOT_READY: {
    message: 'No data has been projected yet',
    retry: 'backoff',
    audience: 'caller',
    wire: 'DATA_STALE',
  },
  DATA__UNAVAILABLE: {
    message: 'What the data is read from does not answer',
    retry: 'backoff',
    audience: 'caller',
    wire: 'UPSTREAM_UNAVAILABLE',
  },
  DECODE__ACCOUNT_MALFORMED: {
    message: 'The account is too short or its bytes cannot be read',
    retry: 'never',
    audience: 'operator',
  },
  DECODE__DISCRIMINATOR_MISMATCH: { message: 'The account is of another kind', retry: 'never', audience: 'operator' },
  DECODE__OWNER_MISMATCH: { message: 'The account belongs to another program', retry: 'never', audience: 'operator' },
  DECODE__TRANSACTION_MALFORMED: {
    message: 'The transaction cannot be read',
    retry: 'never',
    audience: 'operator',
  },
  DECODE__VALUE_OUT_OF_RANGE: {
    message: 'The account holds a value outside its range',
    retry: 'never',
    audience: 'operator',
  },
  INTERNAL__UNEXPECTED: {
    message: 'Something failed that should not',
    retry: 'backoff',
    audience: 'caller',
    wire: 'INTERNAL',
  },
  LOCALNET__GENESIS_INVALID: {
    message: 'A file the local chain should start from cannot be used',
    retry: 'never',
    audience: 'operator',
  },
  LOCALNET__PROGRAM_INVALID: {
    message: 'A file of program code for the local chain cannot be used',
    retry: 'never',
    audience: 'operator',
  },
  ORACLE__PRICE_STALE: {
    message: 'The price is older than the bank allows',
    retry: 'backoff',
    audience: 'caller',
    wire: 'ORACLE_STALE',
  },
  ORACLE__SETUP_UNSUPPORTED: {
    message: 'The oracle setup is retired or not known',
    retry: 'never',
    audience: 'operator',
  },
  POSTGRES__PLATFORM_UNSUPPORTED: {
    message: 'There is no embedded Postgres for this machine',
    retry: 'never',
    audience: 'operator',
  },
  POSTGRES__UNAVAILABLE: { message: 'The embedded Postgres does not run', retry: 'backoff', audience: 'operator' },
  READ__ACCOUNT_MISMATCH: {
    message: 'Several accounts fit what was asked',
    retry: 'never',
    audience: 'caller',
    wire: 'ACCOUNT_AMBIGUOUS',
  },
  READ__ACCOUNT_NOT_FOUND: {
    message: 'There is no such account',
    retry: 'never',
    audience: 'caller',
    wire: 'ACCOUNT_NOT_FOUND',
  },
  READ__BANK_NOT_FOUND: {
    message: 'No bank has this address',
    retry: 'never',
    audience: 'caller',
    wire: 'BANK_NOT_FOUND',
  },
  READ__CONVERSATION_NOT_FOUND: {
    message: 'No conversation of the caller has this id',
    retry: 'never',
    audience: 'caller',
    wire: 'NOT_FOUND',
  },
  READ__DOC_NOT_FOUND: {
    message: 'No page of the guide has this name',
    retry: 'never',
    audience: 'caller',
    wire: 'DOC_NOT_FOUND',
  },
  READ__PLAN_NOT_FOUND: {
    message: 'No plan of the last day has this id',
    retry: 'never',
    audience: 'caller',
    wire: 'NOT_FOUND',
  },
  READ__RESERVE_NOT_FOUND: {
    message: 'No reserve has this address',
    retry: 'never',
    audience: 'caller',
    wire: 'NOT_FOUND',
  },
  ROUTE__BODY_EXCEEDED: {
    message: 'The body is longer than is read',
    retry: 'never',
    audience: 'caller',
    wire: 'PAYLOAD_TOO_LARGE',
  },
  ROUTE__MEDIA_TYPE_UNSUPPORTED: {
    message: 'The body is of a media type that the path does not read',
    retry: 'never',
    audience: 'caller',
    wire: 'UNSUPPORTED_MEDIA_TYPE',
  },
  ROUTE__METHOD_UNSUPPORTED: {
    message: 'The path does not take the method',
    retry: 'never',
    audience: 'caller',
    wire: 'METHOD_NOT_ALLOWED',
  },
  ROUTE__NOT_FOUND: { message: 'There is no such path', retry: 'never', audience: 'caller', wire: 'NOT_FOUND' },
  RUNTIME__DISK_EXCEEDED: { message: 'The disk is full', retry: 'backoff', audience: 'operator' },
  RUNTIME__FIRST_CONTACT_MALFORMED: {
    message: 'The report of a first contact cannot be read',
    retry: 'never',
    audience: 'operator',
  },
  RUNTIME__INSTANCE_INVALID: {
    message: 'Another instance already runs on this data folder',
    retry: 'never',
    audience: 'operator',
  },
  RUNTIME__PORT_UNAVAILABLE: { message: 'The port is taken', retry: 'never', audience: 'operator' },
  STORE__CHAIN_MISMATCH: {
    message: 'The tables belong to another chain',
    retry: 'never',
    audience: 'operator',
  },
  STORE__MIGRATION_INVALID: { message: 'A migration fails', retry: 'never', audience: 'operator' },
  STORE__MIGRATION_MISMATCH: {
    message: 'An applied migration differs from its file',
    retry: 'never',
    audience: 'operator',
  },
  STORE__ROW_INVALID: { message: 'The database refused a row', retry: 'never', audience: 'operator' },
  STORE__UNAVAILABLE: {
    message: 'The database cannot be reached',
    retry: 'backoff',
    audience: 'operator',
  },
  SWAP__UNAVAILABLE: {
    message: 'No aggregator of swaps answers',
    retry: 'backoff',
    audience: 'caller',
    wire: 'UPSTREAM_UNAVAILABLE',
  },
  TOOL__BUILDS_EXCEEDED: {
    message: 'Too many builds are under way',
    retry: 'backoff',
    audience: 'caller',
    wire: 'UPSTREAM_UNAVAILABLE',
  },
  TOOL__INPUT_INVALID: {
    message: 'An argument is not allowed',
    retry: 'never',
    audience: 'caller',
    wire: 'INVALID_ARGUMENT',
  },
  TOOL__STREAMS_EXCEEDED: {
    message: 'Too many streams are open',
    retry: 'backoff',
    audience: 'caller',
    wire: 'RATE_LIMITED',
  },
  VENUE__BANK_NOT_FOUND: {
    message: 'An account holds a balance in a bank that was not read',
    retry: 'backoff',
    audience: 'operator',
  },
  VENUE__HISTORY_MALFORMED: {
    message: "A venue's service answers in another shape than is known",
    retry: 'never',
    audience: 'operator',
  },
  VENUE__HISTORY_UNAVAILABLE: {
    message: "A venue's service does not answer",
    retry: 'backoff',
    audience: 'operator',
  },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorEntry =
  | { readonly message: string; readonly retry: 'never' | 'backoff'; readonly audience: 'operator' }
  | {
      readonly message: string;
      readonly retry: 'never' | 'backoff';
      readonly audience: 'caller';
      readonly wire: WireCode;
    };

export type ErrorCode = keyof typeof ERRORS;
