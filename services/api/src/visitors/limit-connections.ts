import type { Socket } from 'node:net';
import type { Metrics } from '@lending/runtime';
import type { FastifyInstance, FastifyServerOptions } from 'fastify';
import { clientOf } from './client-of.ts';

/** What connections may take, before anything that they say is looked at. */
export interface ConnectionLimits {
  /** Open at once, streams among them; more are closed as they come. */
  readonly most: number;
  /** Of one client. */
  readonly mostPerClient: number;
  /** How long the head of a request may take to arrive, and the whole of it, ms: who sends a byte a second holds memory for nothing. */
  readonly headMs: number;
  readonly requestMs: number;
  /** How long nothing may go either way, ms. Longer than a build and than the signs of life of streams. */
  readonly idleMs: number;
  /** Requests of one connection that wait for their answers: those are kept in memory until the first of them is taken. */
  readonly mostWaiting: number;
}

export const DEFAULT_CONNECTION_LIMITS: ConnectionLimits = {
  most: 2_000,
  mostPerClient: 500,
  headMs: 10_000,
  requestMs: 20_000,
  idleMs: 120_000,
  mostWaiting: 32,
};

/** How often connections are looked through for those that take too long: Node's default is half a minute. */
const MAX_CHECK_MS = 2_000;

/** What of the limits Node itself keeps. */
export function connectionOptions({ headMs, requestMs, idleMs }: ConnectionLimits): Pick<
  FastifyServerOptions,
  'requestTimeout' | 'connectionTimeout'
> & {
  readonly http: { readonly headersTimeout: number; readonly connectionsCheckingInterval: number };
} {
  return {
    requestTimeout: requestMs,
    connectionTimeout: idleMs,
    http: { headersTimeout: headMs, connectionsCheckingInterval: Math.min(MAX_CHECK_MS, headMs) },
  };
}

export interface ConnectionLimitsOptions {
  readonly limits: ConnectionLimits;
  /** Whether an address is a proxy's, behind which many clients are. */
  readonly isProxy: (address: string) => boolean;
  readonly metrics: Metrics;
}

/** Keeps the rest of the limits. Register it before all that works on requests. */
export function limitConnections(app: FastifyInstance, { limits, isProxy, metrics }: ConnectionLimitsOptions): void {
  const refused = metrics.counter({
    name: 'api.connection.refuse',
    help: 'Connections that were closed, by the limit that they met',
    labels: ['limit'],
  });
  const open = new Map<string, number>();
  app.server.maxConnections = limits.most;
  app.server.on('drop', () => refused.inc({ limit: 'all' }));
  app.server.on('connection', (socket) => {
    const address = socket.remoteAddress ?? '';
    if (isProxy(address)) return;
    const client = clientOf(address);
    const count = (open.get(client) ?? 0) + 1;
    open.set(client, count);
    socket.once('close', () => {
      const left = (open.get(client) ?? 1) - 1;
      if (left === 0) open.delete(client);
      else open.set(client, left);
    });
    if (count <= limits.mostPerClient) return;
    refused.inc({ limit: 'client' });
    socket.destroy();
  });

  const waiting = new WeakMap<Socket, number>();
  app.addHook('onRequest', async ({ raw: { socket } }, reply) => {
    const count = (waiting.get(socket) ?? 0) + 1;
    waiting.set(socket, count);
    reply.raw.once('close', () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1));
    if (count <= limits.mostWaiting) return;
    refused.inc({ limit: 'waiting' });
    reply.hijack();
    // Node parses all that came at once, and would go on to ask.
    socket.destroy();
  });
}
