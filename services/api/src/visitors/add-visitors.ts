import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { clientOf } from './client-of.ts';
import type { Visitor } from './visitor.ts';

declare module 'fastify' {
  interface FastifyRequest {
    visitor: Visitor;
  }
}

/** Ids that a caller or a proxy gave the request already; anything else may be an attack on whoever reads the log. */
const REQUEST_ID = /^[\w.:-]{1,100}$/;

/** Gives every request its visitor, and every answer the id of its request. Register it before all that asks for one. */
export function addVisitors(app: FastifyInstance): void {
  app.decorateRequest('visitor');
  app.addHook('onRequest', async (request, reply) => {
    request.visitor = visitorOf(request, reply);
    reply.header('x-request-id', request.visitor.requestId);
  });
}

function visitorOf({ headers, ip }: FastifyRequest, { raw }: FastifyReply): Visitor {
  const given = headers['x-request-id'];
  const away = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) away.abort();
  });
  return {
    requestId: typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID(),
    client: clientOf(ip),
    caller: null,
    signal: away.signal,
  };
}
