import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { sendJson } from '#http/local-server.ts';
import type { AggregatorCall } from './aggregator-call.ts';
import type { AggregatorFault } from './aggregator-fault.ts';
import type { AggregatorName } from './find-route.ts';

export interface FailingExchange {
  readonly aggregator: AggregatorName;
  readonly call: AggregatorCall;
  readonly response: ServerResponse;
  readonly apiKey: string | null;
}

const MS_IN_A_SECOND = 1_000;

/** Does what a fault of the wire does. @returns whether the exchange is over; else it goes on as if nothing had been. */
export async function failOnWire(exchange: FailingExchange, fault: AggregatorFault | null): Promise<boolean> {
  const { aggregator, call, response, apiKey } = exchange;
  if (fault === null || !isOfStep(call, fault)) return false;
  switch (fault.kind) {
    case 'down':
      response.destroy();
      return true;
    case 'slow':
      await sleep(fault.delayMs);
      return false;
    case 'hanging':
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{');
      return true;
    case 'status':
      return reply(response, fault.status, errorOf(aggregator, 'failed_to_compute_route', 'Internal Server Error'));
    case 'rate_limited':
      if (fault.apiKey !== undefined && fault.apiKey !== apiKey) return false;
      return tooMany(exchange, fault.resetInSeconds);
    case 'unknown_key':
      return apiKey === null ? false : reply(response, 401, { code: 401, message: 'Unauthorized' });
    case 'no_route':
      return reply(response, 400, errorOf(aggregator, 'route_not_found', 'No routes found'));
    case 'garbage':
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<!doctype html><title>Back soon</title>');
      return true;
    case 'other_body':
      return reply(response, 200, fault.body);
    case 'large_body':
      return reply(response, 200, { padding: 'x'.repeat(fault.bytes) });
    default:
      return false;
  }
}

function isOfStep({ method }: AggregatorCall, fault: AggregatorFault): boolean {
  const step = 'step' in fault ? fault.step : undefined;
  return step === undefined || step === (method === 'POST' ? 'instructions' : 'quote');
}

/** Jupiter says when a slot frees, in unix seconds; DFlow documents the status alone. */
function tooMany({ aggregator, response }: FailingExchange, resetInSeconds: number): true {
  if (aggregator === 'dflow') return reply(response, 429, { code: 'too_many_requests', msg: 'Too many requests' });
  const reset = Math.ceil(Date.now() / MS_IN_A_SECOND) + resetInSeconds;
  return reply(
    response,
    429,
    { code: 429, message: '[API Gateway] Too many requests' },
    { 'x-ratelimit-remaining': '-1', 'x-ratelimit-current': '31', 'x-ratelimit-reset': `${reset}` },
  );
}

function errorOf(aggregator: AggregatorName, code: string, text: string): unknown {
  return aggregator === 'jupiter' ? { error: text } : { code, msg: text };
}

function reply(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers?: Readonly<Record<string, string>>,
): true {
  sendJson(response, status, body, headers);
  return true;
}
