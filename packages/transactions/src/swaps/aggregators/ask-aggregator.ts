import { describeError } from '@lending/errors';
import { inChildSpan } from '@lending/tracing';
import { type Span, SpanStatusCode } from '@opentelemetry/api';
import { type Fetch, readText } from '#cranks/fetch-json.ts';
import { requestSpan } from '#request-span.ts';
import type { SwapFailure } from '../swap-reasons.ts';
import type { Asked, AskOptions, SizeQuery } from './aggregator.ts';
import { hideKey } from './hide-key.ts';
import { retryAtMs } from './retry-at.ts';

/** An instruction of 60 accounts is 6 kB, contents of lookup tables 12 kB each. */
const MAX_BYTES = 1_000_000;
/** Of what strangers said, as much is kept for the operator. */
const MAX_DETAIL = 200;

export type Failed = Extract<Asked, { kind: 'failed' }>;
export type Answer = { readonly kind: 'answered'; readonly text: string; readonly json: unknown } | Failed;

export interface AggregatorRequest extends AskOptions {
  readonly fetch: Fetch;
  readonly now: () => number;
  readonly url: string;
  /** JSON, sent by POST; absent asks by GET. */
  readonly body?: string;
  /** What a 400 of this aggregator means. */
  failureOf(body: unknown): SwapFailure;
}

export function failed(reason: SwapFailure, detail: string, retryAt: number | null = null): Failed {
  return { kind: 'failed', reason, detail: detail.slice(0, MAX_DETAIL), retryAtMs: retryAt };
}

/** Slippage has no part in what a quote gives; both take it as basis points. */
const QUOTE_SLIPPAGE_BPS = '50';

/** Both aggregators name what one amount is asked with alike. */
export function sizeParametersOf({ inMint, outMint, inBase }: SizeQuery): URLSearchParams {
  const pair = { inputMint: inMint, outputMint: outMint };
  return new URLSearchParams({ ...pair, amount: inBase.toString(), slippageBps: QUOTE_SLIPPAGE_BPS });
}

/** Asks an aggregator for JSON: follows no redirect, reads no more than was expected, and names what goes wrong. */
export function askAggregator(request: AggregatorRequest): Promise<Answer> {
  return inChildSpan(
    'lending.transactions',
    () => requestSpan(request.body === undefined ? 'GET' : 'POST', request.url),
    async (span) => {
      const answer = await ask(request, span);
      // A failure is an answer here, and nothing is thrown.
      if (answer.kind === 'failed')
        span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', answer.reason);
      return answer;
    },
  );
}

async function ask(request: AggregatorRequest, span: Span): Promise<Answer> {
  const { fetch, url, body, key, signal, now } = request;
  const headers = {
    accept: 'application/json',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(key === null ? {} : { 'x-api-key': key }),
  };
  try {
    const sent = body === undefined ? {} : { method: 'POST', body };
    const response = await fetch(url, { redirect: 'error', signal, headers, ...sent });
    span.setAttribute('http.response.status_code', response.status);
    // Aggregators may repeat what they were sent, in an id or an error that is shown.
    const text = hideKey(await readText(response, MAX_BYTES), key);
    const json = parse(text);
    if (response.ok)
      return json === undefined ? failed('malformed_answer', 'not JSON') : { kind: 'answered', text, json };
    const { status } = response;
    const retryAt = status === 429 || status === 503 ? retryAtMs(response.headers, now()) : null;
    return failed(reasonOf(status, json, request), `HTTP ${status} ${codeOf(json)}`.trimEnd(), retryAt);
  } catch (error) {
    // What fetch throws may quote the request; a key is in a header, and headers are not quoted.
    return signal.aborted ? failed('timed_out', 'no answer in time') : failed('unreachable', describeError(error));
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function reasonOf(status: number, json: unknown, request: AggregatorRequest): SwapFailure {
  if (status === 429) return 'rate_limited';
  if (status === 401 || status === 403) return 'key_refused';
  if (status === 400 || status === 422) return request.failureOf(json);
  return status >= 500 ? 'server_error' : 'request_refused';
}

/** What an error body says as one word, if it does: Jupiter's `errorCode`, DFlow's `code`. */
function codeOf(json: unknown): string {
  if (typeof json !== 'object' || json === null) return '';
  const { errorCode, code, error } = json as Record<string, unknown>;
  const said = [errorCode, code, error].find((each) => typeof each === 'string');
  return said === undefined ? '' : String(said);
}
