import { randomUUID } from 'node:crypto';
import { createLocalServer, HOST, type LocalServer, readJson, sendJson } from '#http/local-server.ts';
import type { AggregatorFault } from './aggregator-fault.ts';
import { createDflowAnswers } from './answer-dflow.ts';
import { createJupiterAnswers } from './answer-jupiter.ts';
import { failOnWire } from './fail-on-wire.ts';
import { AGGREGATOR_NAMES, type AggregatorName } from './find-route.ts';
import type { OfferLedger } from './make-offer.ts';

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

/** Both swap aggregators of the demo market, each on a port of its own. */
export interface Aggregators {
  /** Resolves with the URL of each once both listen. */
  listen(): Promise<Readonly<Record<AggregatorName, string>>>;
  close(): Promise<void>;
  /** What each was asked, oldest first; the last thousand. */
  requestsOf(aggregator: AggregatorName): readonly AggregatorRequest[];
  setFault(aggregator: AggregatorName, fault: AggregatorFault | null): void;
}

/**
 * Builds both without listening. They are test doubles: they speak the aggregators' wire shapes, and what they route through is the
 * local chain's swap program, at that moment's prices. What they quote is what the program does.
 */
export function createAggregators(ledger: OfferLedger): Aggregators {
  const requests: AggregatorRequest[] = [];
  const faults = new Map<AggregatorName, AggregatorFault | null>();
  const answers = { jupiter: createJupiterAnswers(ledger), dflow: createDflowAnswers(ledger) };
  const createServer = (aggregator: AggregatorName): LocalServer =>
    createLocalServer(async (request, response) => {
      const { method = 'GET', url: path = '/', headers } = request;
      const apiKey = headers['x-api-key'] === undefined ? null : String(headers['x-api-key']);
      requests.push({ aggregator, path, apiKey });
      if (requests.length > MAX_REQUESTS) requests.shift();
      const { pathname, searchParams } = new URL(path, `http://${HOST}`);
      const query = Object.fromEntries(searchParams);
      const call = { method, path: pathname, query, body: await readJson(request) };
      const fault = faults.get(aggregator) ?? null;
      if (await failOnWire({ aggregator, call, response, apiKey }, fault)) return;
      const { status, body } = answers[aggregator](call, fault);
      sendJson(response, status, body, { 'x-api-gateway-request-id': randomUUID() });
    });
  const servers = { jupiter: createServer('jupiter'), dflow: createServer('dflow') };
  const urlOf = async (name: AggregatorName) => `http://${HOST}:${await servers[name].listen(0)}`;
  return {
    listen: async () => ({ jupiter: await urlOf('jupiter'), dflow: await urlOf('dflow') }),
    async close() {
      for (const name of AGGREGATOR_NAMES) await servers[name].close();
    },
    requestsOf: (aggregator) => requests.filter((request) => request.aggregator === aggregator),
    setFault: (aggregator, fault) => faults.set(aggregator, fault),
  };
}
