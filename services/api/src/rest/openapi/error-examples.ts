import { WIRE_CODES, type WireCode, type WireError } from '@lending/errors';
import { EXAMPLE_ACCOUNT, EXAMPLE_SOL_BANK, EXAMPLE_USDC_BANK, EXAMPLE_WALLET } from '#tools/builder-examples.ts';

/** What an error of each code may say; `details` has the facts that callers act on. */
const SAID: Readonly<Record<WireCode, readonly [error: string, details: Readonly<Record<string, unknown>>]>> = {
  INVALID_ARGUMENT: [
    'limit has a value that is not allowed — allowed: a whole number from 1 to 500 — correct it and call GET /v1/banks again',
    { field: 'limit', allowed: 'a whole number from 1 to 500' },
  ],
  UNAUTHENTICATED: [
    'The bearer token is none of this service, or was revoked — allowed: Authorization: Bearer with a token that still works, or no such header — correct it and call again',
    {},
  ],
  BANK_NOT_FOUND: [
    'No bank has the address that was given — allowed: an address that GET /v1/banks lists — call again with it',
    { bank: EXAMPLE_WALLET },
  ],
  ACCOUNT_NOT_FOUND: [
    'No lending account is at this address, and none belongs to it — allowed: the wallet that lends, or a lending account — check the address',
    { address: EXAMPLE_WALLET },
  ],
  DOC_NOT_FOUND: [
    'No page of the docs has the name given as slug — allowed: one of details.candidates, or a slug that svc_search_docs gives — call svc_search_docs without query to list every page',
    { field: 'slug', candidates: ['units'] },
  ],
  NOT_FOUND: [
    'There is no GET /v1/nothing — allowed: the paths of /v1/openapi.json — call GET /v1/openapi.json to see them',
    { method: 'GET', path: '/v1/nothing' },
  ],
  METHOD_NOT_ALLOWED: [
    '/v1/banks takes no DELETE — allowed: GET, HEAD — call it with one of these methods',
    { method: 'DELETE', path: '/v1/banks', allowed: ['GET', 'HEAD'] },
  ],
  ACCOUNT_AMBIGUOUS: [
    'The wallet owns 2 accounts — allowed: one of details.accounts as account — call again with it',
    { accounts: [EXAMPLE_ACCOUNT, EXAMPLE_WALLET] },
  ],
  IDEMPOTENCY_CONFLICT: [
    'idempotency_key was used with other arguments — allowed: the arguments of the first call, or a new key — correct it and call again',
    { field: 'idempotency_key' },
  ],
  PAYLOAD_TOO_LARGE: [
    'The body is too large — allowed: at most 262144 bytes — correct the request and send it again',
    { max_bytes: 262_144 },
  ],
  UNSUPPORTED_MEDIA_TYPE: [
    'The content-type is not taken here — allowed: application/json — correct the request and send it again',
    {},
  ],
  BORROW_LIMIT_EXCEEDED: [
    'amount is above what can be borrowed now — allowed: at most details.max_borrow — lower amount and call again',
    { max_borrow: 412.5, limited_by: 'health' },
  ],
  WITHDRAW_LIMIT_EXCEEDED: [
    'amount is above what can be withdrawn now — allowed: at most details.max_withdraw — lower amount and call again',
    { max_withdraw: 3.25, limited_by: 'balance' },
  ],
  DEPOSIT_LIMIT_EXCEEDED: [
    'amount is above what the bank still takes — allowed: at most details.max_deposit — lower amount and call again',
    { max_deposit: 1200, limited_by: 'deposit_cap' },
  ],
  REPAY_LIMIT_EXCEEDED: [
    'The debt to be repaid is worth more than one call repays, 250000 USD — allowed: at most 250000 USDC a call (details.max_repay) — make the calls of details.calls, one after the other',
    {
      max_repay: 250000,
      cap_usd: 250000,
      calls: [
        {
          tool: 'svc_close_position',
          args: { authority: EXAMPLE_WALLET, borrow_bank: EXAMPLE_USDC_BANK, amount: '150000' },
          borrow_symbol: 'USDC',
        },
        {
          tool: 'svc_close_position',
          args: { authority: EXAMPLE_WALLET, borrow_bank: EXAMPLE_USDC_BANK, repay_all: true },
          borrow_symbol: 'USDC',
        },
      ],
    },
  ],
  LEVERAGE_EXCEEDED: [
    'leverage is above what the pair allows — allowed: at most details.max_leverage — lower leverage and call again',
    { max_leverage: 5.43 },
  ],
  INSUFFICIENT_BALANCE: [
    'The wallet holds less than amount — allowed: at most details.available — lower amount, or fund the wallet, and call again',
    { available: 0.75 },
  ],
  INSUFFICIENT_COLLATERAL: [
    'The account would be left with too little collateral — allowed: less amount, or more collateral — lower amount and call again',
    {},
  ],
  BANK_NOT_BORROWABLE: [
    'This bank cannot be borrowed from — allowed: one of details.banks as bank — call again with it',
    { bank: EXAMPLE_SOL_BANK, banks: [EXAMPLE_USDC_BANK] },
  ],
  BANK_PAUSED: [
    'The bank takes no deposit at present — allowed: another bank, which GET /v1/banks lists — call again with it',
    { bank: EXAMPLE_SOL_BANK, operational_state: 'Paused' },
  ],
  ORACLE_STALE: [
    'The price of the bank is older than it allows — allowed: a price of 60 seconds at most — call again when the oracle was updated',
    { bank: EXAMPLE_SOL_BANK, age_seconds: 95, max_age_seconds: 60 },
  ],
  ASSET_TAG_CONFLICT: [
    'The account holds assets that this bank does not go with — allowed: another account — call again with it as account',
    { bank: EXAMPLE_SOL_BANK },
  ],
  BALANCE_SLOTS_FULL: [
    'The account has no free slot for another balance — allowed: another account, or one balance less — withdraw or repay one in full and call again',
    {},
  ],
  SWAP_ROUTE_UNAVAILABLE: [
    'No swap at the price that was asked for — allowed: a smaller amount, or a more liquid pair — change one of them and call again',
    { tried: [{ aggregator: 'jupiter', outcome: 'failed', reason: 'no_route', in_raw: null, out_raw: null }] },
  ],
  TX_TOO_LARGE: [
    'The transaction does not fit — allowed: 1,232 bytes — reduce amount, choose a more liquid pair, or pass transaction_version 1 if the wallet signs it, and call again',
    { bytes: 1350, max_bytes: 1232 },
  ],
  SIMULATION_FAILED: [
    'The transaction would fail on the chain — allowed: what details.cause does not refuse — change the call and make it again',
    {
      cause: {
        program: 'MFv2hWf31Z9kbCa1snEPYctwafyhdvnV7FZnsebVacA',
        error: 'OperationDepositOnly',
        number: 6019,
        reason: 'custom program error: 0x1783',
      },
      logs: ['Program log: AnchorError thrown'],
    },
  ],
  POLICY_REFUSED: [
    'The health_ratio after it is below policy.min_health_ratio_after — allowed: at least 1.25 — lower amount, or the policy, and call again',
    { min_health_ratio_after: 1.25, health_ratio_after: 1.18 },
  ],
  RATE_LIMITED: [
    'Too many requests of /v1 — allowed: 60 in any 60 seconds — wait 17 seconds and send it again',
    { scope: 'v1', limit: 60, retry_after_s: 17 },
  ],
  INTERNAL: ['The service failed on its side; try again later', {}],
  DATA_STALE: [
    'Nothing was read of the banks yet — allowed: the same call again — call GET /v1/banks again in a few seconds',
    {},
  ],
  PROGRAM_UPGRADING: [
    'The lending program is being upgraded: A bank has 1864 bytes, 0.1.12 takes it to have 3912 — allowed: everything that reads — make the same call again in a minute',
    {
      program: { version: '0.1.12', deploy_slot: 452_000_000, standing: 'upgrading', reason: 'A bank has 1864 bytes' },
    },
  ],
  PROGRAM_UNSUPPORTED: [
    'Nothing is built for the lending program as it runs: The fee state has 700 bytes, which no version known here writes — allowed: everything that reads — report details.program to the operator, and wait until the service was upgraded',
    {
      program: { version: null, deploy_slot: 460_000_000, standing: 'unknown', reason: 'The fee state has 700 bytes' },
    },
  ],
  BANK_UNVERIFIED: [
    'The service’s figures of this bank (rates) disagree with the program’s own — allowed: deposit, repay, close_position, and withdrawals from accounts without debt — choose another bank, or report details.residuals to the operator',
    {
      bank: '2s37akK2eyBbp8DZgCm7RtsaEz8eJP3Nxd4urLHQv7yB',
      residuals: [
        {
          bank: '2s37akK2eyBbp8DZgCm7RtsaEz8eJP3Nxd4urLHQv7yB',
          figure: 'rates',
          field: 'borrowRate',
          ours: '61000',
          theirs: '61432',
          bound: '0',
          slot: 452_000_000,
        },
      ],
    },
  ],
  UPSTREAM_UNAVAILABLE: ['A part of the service is not reachable; try again in a few seconds', {}],
};

/** A whole error body of a code. */
export function errorExample(code: WireCode): WireError {
  const [error, details] = SAID[code];
  const { retry, retryAfterS } = WIRE_CODES[code] as { readonly retry: string; readonly retryAfterS?: number };
  const wait = details.retry_after_s ?? retryAfterS;
  return {
    error,
    code,
    details,
    retryable: retry !== 'never',
    ...(typeof wait === 'number' && { retry_after_s: wait }),
    docs: `http://localhost:8080/v1/docs/${code}`,
  };
}
