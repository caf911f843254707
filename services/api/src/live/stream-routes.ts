import type { ServerResponse } from 'node:http';
import type { Logger } from '@lending/runtime';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { LIVE_KINDS, LIVE_SCHEMAS } from '#records/live-fields.ts';
import { exactAddress } from '#tools/address-input.ts';
import { inputField } from '#tools/input-field.ts';
import { invalid, parseInput } from '#tools/parse-input.ts';
import { wireErrorSchema } from '#tools/wire-error-schema.ts';
import { keepHeaders } from '../rest/keep-headers.ts';
import { outputJson } from '../rest/openapi/describe-route.ts';
import { commentFrame, type EventStream, eventFrame, openEventStream, placeFrame, retryFrame } from './event-stream.ts';
import type { LiveHub, LiveStream } from './live-hub.ts';

export interface StreamRouteOptions {
  readonly hub: LiveHub;
  /** A reader that takes nothing for so long is given up. */
  readonly stallMs: number;
  /** How often a silent stream says that it is alive. Default 15 s. */
  readonly heartbeatMs?: number;
  readonly logger: Logger;
}

const PATH = '/v1/stream';
const CALL_NAME = `GET ${PATH}`;
const HEARTBEAT_MS = 15_000;
/** How long readers wait before they connect again; at a stop spread, so that another instance does not get all of them at once. */
const RETRY_MS = 2_000;
const STOP_RETRY_MS = { from: 200, to: 2_000 } as const;
/** A reader that was given up gets this long for what the network still holds. */
const GOODBYE_MS = 1_000;

const NAMES_ALLOWED = 'addresses of 32 bytes as base58, separated by commas';

function listOr<const W extends readonly string[]>(words: W) {
  return z.preprocess(
    (value) => (typeof value === 'string' && !words.includes(value) ? splitNames(value) : value),
    z.union([z.literal(words), z.array(exactAddress).min(1)]),
  );
}

const addressList = z.preprocess(
  (value) => (typeof value === 'string' ? splitNames(value) : value),
  z.array(exactAddress).min(1),
);

function splitNames(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  return [...new Set(names.filter((name) => name !== ''))];
}

const input = z.strictObject({
  rates: inputField(
    listOr(['all', 'banks']),
    'Tells the newest rates of these banks and reserves: addresses, all, or banks for all banks and no reserve',
    `all, banks, or ${NAMES_ALLOWED}`,
  ),
  banks: inputField(
    listOr(['all']),
    'Tells when the state, the allowed actions or the caps of these banks change: addresses, or all',
    `all, or ${NAMES_ALLOWED}`,
  ),
  health: inputField(
    addressList,
    'Tells when these accounts cross from one health status to another: accounts, or owners of one account',
    NAMES_ALLOWED,
  ),
  activity: inputField(
    addressList,
    'Tells what is done to these accounts, or to the accounts of these wallets, from now on',
    NAMES_ALLOWED,
  ),
  last_event_id: inputField(
    z.string().max(8_000),
    'The id of the last event heard, where the header Last-Event-ID cannot be set; the header goes before it',
    'the id of the last event of a stream with the same question, or none to begin anew',
  ),
});

/** An event as it is framed: a line for its name, one for its id, one for its data. */
const eventSchema = z.union(
  LIVE_KINDS.map((kind) =>
    z.strictObject({
      event: z.literal(kind),
      id: z.string().describe('Pass the last one as Last-Event-ID to hear what came after'),
      // Text on its line, of which the schema says what it holds.
      data: z.string().meta({ contentMediaType: 'application/json', contentSchema: outputJson(LIVE_SCHEMAS[kind]) }),
    }),
  ),
);

/** Server-sent events of what happens. Errors before the first byte are answered as everywhere else. */
export async function streamRoutes(scope: FastifyInstance, options: StreamRouteOptions): Promise<void> {
  scope.setValidatorCompiler(() => (value) => ({ value }));
  const open = new Set<ServerResponse>();
  // The hub has ended all of them; who does not read what is left is cut off, or the server would wait for him.
  scope.addHook('preClose', async () => {
    setTimeout(() => {
      for (const raw of open) raw.destroy();
    }, GOODBYE_MS).unref();
  });
  scope.route({
    method: 'GET',
    url: PATH,
    // A reply without a body would never end.
    exposeHeadRoute: false,
    schema: {
      operationId: 'svc_stream',
      summary: 'Live events',
      description:
        'Server-sent events: rates of banks and reserves, changes of banks, health crossings and activity of accounts as they happen. ' +
        'The first events are the state now; with Last-Event-ID, what came after that event, on any instance. A reader that is slow ' +
        'is told the newest of each thing. At least one of rates, banks, health and activity is asked for.',
      tags: ['lending'],
      querystring: input,
      headers: z.object({ 'last-event-id': z.string().max(8_000).optional().describe('As last_event_id') }),
      response: {
        200: { description: 'Live events', content: { 'text/event-stream': { schema: eventSchema } } },
        ...failures,
      },
    },
    handler: (request, reply) => answer(request, reply, { ...options, open }),
  });
}

const failure = (description: string) => ({
  description,
  content: { 'application/json': { schema: wireErrorSchema } },
});
const failures = {
  400: failure('INVALID_ARGUMENT'),
  404: failure('BANK_NOT_FOUND, ACCOUNT_NOT_FOUND'),
  409: failure('ACCOUNT_AMBIGUOUS'),
  429: failure('RATE_LIMITED'),
  500: failure('INTERNAL'),
  503: failure('DATA_STALE, UPSTREAM_UNAVAILABLE'),
};

async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  options: StreamRouteOptions & { readonly open: Set<ServerResponse> },
): Promise<FastifyReply> {
  const query = request.query as Record<string, unknown>;
  const repeated = Object.keys(query).find((name) => Array.isArray(query[name]));
  if (repeated !== undefined) {
    throw invalid(`${repeated} is given twice`, 'once', CALL_NAME, { field: repeated });
  }
  const parsed = parseInput(input, query, CALL_NAME);
  const { rates = [], banks = [], health = [], activity = [], last_event_id: lastEventId } = parsed;
  const header = request.headers['last-event-id']?.toString();
  const leaving = new AbortController();
  const { raw } = reply;
  raw.once('close', () => leaving.abort());
  const stream = await options.hub.follow(
    { rates, banks, health, activity },
    {
      after: header || lastEventId || null,
      client: request.visitor.client,
      signal: leaving.signal,
      callName: CALL_NAME,
    },
  );
  keepHeaders(reply);
  reply.hijack();
  options.open.add(raw);
  raw.once('close', () => options.open.delete(raw));
  try {
    await serve(stream, raw, leaving, options);
  } catch (error) {
    // The head of the reply is out: nothing else can be said.
    options.logger.error('live.stream.fail', { error });
    raw.destroy();
  } finally {
    leaving.abort();
  }
  return reply;
}

async function serve(
  stream: LiveStream,
  raw: ServerResponse,
  leaving: AbortController,
  { stallMs, heartbeatMs = HEARTBEAT_MS }: StreamRouteOptions,
): Promise<void> {
  const out = openEventStream(raw, stallMs, () => leaving.abort('slow'));
  await tell(stream, out, heartbeatMs, () => raw.writableNeedDrain);
  if (leaving.signal.reason === 'slow') {
    out.end(commentFrame('closed: this stream was not read'));
    setTimeout(() => raw.destroy(), GOODBYE_MS).unref();
  } else {
    out.end(retryFrame(stopRetryMs()) + commentFrame('closed: this instance stops, connect again'));
  }
}

async function tell(stream: LiveStream, out: EventStream, heartbeatMs: number, isFull: () => boolean): Promise<void> {
  const heartbeat = setInterval(() => {
    if (!isFull()) void out.send(commentFrame('alive') + placeFrame(stream.position()));
  }, heartbeatMs);
  try {
    await out.send(retryFrame(RETRY_MS) + placeFrame(stream.position()));
    for await (const event of stream) if (!(await out.send(eventFrame(event, jsonOf(event.data))))) return;
  } finally {
    clearInterval(heartbeat);
  }
}

/** Many streams tell the same record. */
const texts = new WeakMap<object, string>();

function jsonOf(data: object): string {
  const known = texts.get(data);
  if (known !== undefined) return known;
  const text = JSON.stringify(data);
  texts.set(data, text);
  return text;
}

function stopRetryMs(): number {
  return Math.round(STOP_RETRY_MS.from + Math.random() * (STOP_RETRY_MS.to - STOP_RETRY_MS.from));
}
