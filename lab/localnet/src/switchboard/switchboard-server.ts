import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { getAddressBytes, SWITCHBOARD_MAINNET_QUEUE } from '@lending/programs';
import * as z from 'zod';
import { createLocalServer, HOST, readJson, sendJson } from '#http/local-server.ts';
import { demoJobsOf, findFeedByHash } from './demo-jobs.ts';
import { answerConsensus, type GatewayDeps, type GatewayRequest } from './gateway-answer.ts';
import type { SwitchboardFault } from './switchboard-fault.ts';

const MAX_ORACLES = 5;
const GATEWAYS = ['gateway-1', 'gateway-2'];
const CONSENSUS_PATH = /^\/(gateway-\d)\/gateway\/api\/v1\/fetch_signatures_consensus$/;

/** Crossbar and two gateways of Switchboard on one port, for the demo market's feeds. */
export interface SwitchboardServer {
  /** Resolves with crossbar's URL once it listens. */
  listen(port: number): Promise<string>;
  close(): Promise<void>;
  setFault(fault: SwitchboardFault | null): void;
}

interface Reply {
  readonly status: number;
  readonly body: unknown;
}

const consensusSchema = z.object({
  signature_scheme: z.literal('Secp256k1'),
  hash_scheme: z.literal('Sha256'),
  num_oracles: z.int().min(1).max(MAX_ORACLES),
  feed_requests: z
    .array(z.object({ jobs_b64_encoded: z.array(z.string()), max_variance: z.int(), min_responses: z.int() }))
    .min(1),
});

/** Builds the server without listening. It is a test double: prices come from the market's own walk, jobs are never run. */
export function createSwitchboardServer(deps: GatewayDeps): SwitchboardServer {
  let fault: SwitchboardFault | null = null;
  let url = '';
  const server = createLocalServer(async (request, response) => {
    const { status, body } = await answer(request, deps, { fault, url });
    sendJson(response, status, body);
  });
  return {
    async listen(port) {
      url = `http://${HOST}:${await server.listen(port)}`;
      return url;
    },
    close: server.close,
    setFault(next) {
      fault = next;
    },
  };
}

async function answer(
  request: IncomingMessage,
  deps: GatewayDeps,
  { fault, url }: { readonly fault: SwitchboardFault | null; readonly url: string },
): Promise<Reply> {
  const path = (request.url ?? '/').split('?')[0] ?? '/';
  const gateway = CONSENSUS_PATH.exec(path)?.[1];
  if (gateway !== undefined) {
    if (fault?.kind === 'gateways_down' && GATEWAYS.indexOf(gateway) < (fault.count ?? GATEWAYS.length)) return DOWN;
    if (fault?.kind === 'slow') await sleep(fault.delayMs);
    const asked = await readRequest(request);
    return asked === null ? BAD_REQUEST : { status: 200, body: answerConsensus(deps, asked, fault) };
  }
  if (request.method !== 'GET') return NOT_FOUND;
  if (fault?.kind === 'crossbar_down') return DOWN;
  if (path === '/gateways') {
    const base = fault?.kind === 'other_gateway' ? fault.url : url;
    return { status: 200, body: GATEWAYS.map((name) => `${base}/${name}`) };
  }
  const hash = /^\/fetch\/([0-9a-f]{64})$/.exec(path)?.[1];
  return hash === undefined ? NOT_FOUND : tellJobs(hash);
}

const DOWN: Reply = { status: 503, body: 'Service Unavailable' };
const BAD_REQUEST: Reply = { status: 400, body: 'Bad Request' };
const NOT_FOUND: Reply = { status: 404, body: 'Not Found' };

function tellJobs(feedHash: string): Reply {
  const name = findFeedByHash(feedHash);
  if (name === null) return NOT_FOUND;
  const queueHex = Buffer.from(getAddressBytes(SWITCHBOARD_MAINNET_QUEUE)).toString('hex');
  return { status: 200, body: { feedHash, queueHex, jobs: demoJobsOf(name) } };
}

/** Null: it is no request that a gateway takes. */
async function readRequest(request: IncomingMessage): Promise<GatewayRequest | null> {
  const parsed = consensusSchema.safeParse(await readJson(request));
  if (!parsed.success) return null;
  const { feed_requests: feeds, num_oracles: oracleCount } = parsed.data;
  const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'base64'));
  return { feeds: feeds.map((feed) => ({ jobs: feed.jobs_b64_encoded.map(bytesOf) })), oracleCount };
}
