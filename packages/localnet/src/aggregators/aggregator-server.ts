import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fromSystemError } from '@lending/runtime';
import type { AggregatorCall, AggregatorReply, AnswerDeps } from './aggregator-call.ts';
import type { AggregatorFault } from './aggregator-fault.ts';
import type { AggregatorName } from './aggregator-name.ts';
import { createDflowAnswers } from './answer-dflow.ts';
import { createJupiterAnswers } from './answer-jupiter.ts';
import { failOnWire } from './fail-on-wire.ts';

const HOST = '127.0.0.1';
const MAX_BODY_BYTES = 1024 * 1024;
/** Requests that are remembered, newest last. */
const MAX_REQUESTS = 1_000;

/** A request as a test looks at it. */
export interface AggregatorRequest {
  readonly aggregator: AggregatorName;
  /** With the query. */
  readonly path: string;
  /** What came as `x-api-key`; null without one. */
  readonly apiKey: string | null;
}

/** One swap aggregator of the demo market, on a port of its own. */
export interface AggregatorServer {
  /** Resolves with its URL once it listens. */
  listen(port: number): Promise<string>;
  close(): Promise<void>;
  readonly requests: readonly AggregatorRequest[];
  setFault(fault: AggregatorFault | null): void;
}

/**
 * Builds the server without listening. It is a test double: it speaks the aggregator's wire shapes, and what it routes through is the
 * local chain's swap program, at that moment's prices. What it quotes is what the program does.
 */
export function createAggregatorServer(aggregator: AggregatorName, deps: AnswerDeps): AggregatorServer {
  const answer = aggregator === 'jupiter' ? createJupiterAnswers(deps) : createDflowAnswers(deps);
  const requests: AggregatorRequest[] = [];
  let fault: AggregatorFault | null = null;
  const exchange = async (request: IncomingMessage, response: ServerResponse) => {
    const apiKey = apiKeyOf(request);
    requests.push({ aggregator, path: request.url ?? '/', apiKey });
    if (requests.length > MAX_REQUESTS) requests.shift();
    const [call, now] = [await readCall(request), fault];
    if (await failOnWire({ aggregator, call, response, apiKey }, now)) return;
    send(response, answer(call, now));
  };
  const server = createServer((request, response) => {
    exchange(request, response).catch(() => response.destroy());
  });
  return {
    requests,
    listen: (port) =>
      new Promise((resolve, reject) => {
        server.once('error', (error) => reject(fromSystemError(error)));
        server.listen(port, HOST, () => resolve(`http://${HOST}:${(server.address() as AddressInfo).port}`));
      }),
    setFault(next) {
      fault = next;
    },
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function apiKeyOf({ headers }: IncomingMessage): string | null {
  const key = headers['x-api-key'];
  return typeof key === 'string' ? key : null;
}

async function readCall(request: IncomingMessage): Promise<AggregatorCall> {
  const url = new URL(request.url ?? '/', `http://${HOST}`);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  return {
    method: request.method ?? 'GET',
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    body: size > MAX_BODY_BYTES ? undefined : parseJson(Buffer.concat(chunks).toString('utf8')),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function send(response: ServerResponse, { status, body, headers }: AggregatorReply): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'x-api-gateway-request-id': randomUUID(),
    ...headers,
  });
  response.end(JSON.stringify(body));
}
