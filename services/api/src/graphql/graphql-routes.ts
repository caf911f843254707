import { Readable } from 'node:stream';
import { toWireError, wireStatus } from '@lending/errors';
import type { Logger } from '@lending/runtime';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ReadDeps } from '#reads/read-deps.ts';
import type { LiveHub } from '../live/live-hub.ts';
import { fromFrameworkError } from '../rest/error-handlers.ts';
import { createContext } from './context.ts';
import { createGraphqlServer } from './door/graphql-server.ts';
import { createWireErrors, withRequest } from './door/wire-errors.ts';
import { sendExplorer, wantsExplorer } from './explorer/send-explorer.ts';
import { DEFAULT_GRAPHQL_LIMITS, type GraphqlLimits } from './limits/graphql-limits.ts';
import { createGraphqlSchema } from './schema/create-schema.ts';

export interface GraphqlRoutesOptions {
  readonly reads: ReadDeps;
  readonly live: LiveHub;
  readonly logger: Logger;
  readonly limits?: GraphqlLimits | undefined;
}

/**
 * `/graphql`: queries by GET and POST, subscriptions as server-sent events, the explorer for browsers.
 *
 * Bodies come as text, because what is no JSON must be answered in GraphQL's own shape.
 */
export async function graphqlRoutes(scope: FastifyInstance, options: GraphqlRoutesOptions): Promise<void> {
  const { reads, live, logger, limits = DEFAULT_GRAPHQL_LIMITS } = options;
  const schema = createGraphqlSchema();
  const errors = createWireErrors(schema, logger);
  const server = createGraphqlServer({ schema, limits, errors });
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    ['application/json', 'application/graphql'],
    { parseAs: 'string' },
    (_request, body, done) => done(null, body),
  );

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    if (wantsExplorer(request)) return sendExplorer(request, reply);
    const { requestId, client, signal } = request.visitor;
    const context = createContext({ reads, live, client, requestId, signal });
    const response = await withRequest(request, () =>
      server.fetch(
        `http://localhost${request.url}`,
        {
          method: request.method,
          headers: headersOf(request),
          ...(typeof request.body === 'string' && { body: request.body }),
          signal,
        },
        context,
      ),
    );
    return send(reply, response);
  }

  // What is refused before there is a query, such as a body that is too large.
  scope.setErrorHandler((error: FastifyError, request, reply) => {
    const known = fromFrameworkError(error, scope.initialConfig.bodyLimit ?? 0);
    const shown = withRequest(request, () => errors.show(known));
    const type = request.headers.accept?.includes(RESPONSE_TYPE) === true ? RESPONSE_TYPE : 'application/json';
    return reply
      .code(error.statusCode ?? wireStatus(toWireError(known).code))
      .header('cache-control', 'no-store')
      .type(`${type}; charset=utf-8`)
      .send(JSON.stringify({ errors: [shown] }));
  });

  scope.route({ method: ['GET', 'POST', 'OPTIONS'], url: '/graphql', schema: { hide: true }, handler: answer });
}

const RESPONSE_TYPE = 'application/graphql-response+json';

/** What GraphQL over HTTP goes by; nothing else of a request concerns it. */
function headersOf({ headers }: FastifyRequest): Record<string, string> {
  const wanted = [
    'accept',
    'content-type',
    'origin',
    'access-control-request-method',
    'access-control-request-headers',
  ];
  return Object.fromEntries(
    wanted.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])),
  );
}

async function send(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  // How the body is sent is the server's matter: two lengths in one reply are no HTTP.
  const headers = [...response.headers].filter(([name]) => !/^(transfer-encoding|connection)$/i.test(name));
  reply.code(response.status).headers(Object.fromEntries(headers));
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  if (!isStream || response.body === null) return reply.send(await response.text());
  // Nothing between may hold events back until there are enough of them.
  return reply.header('x-accel-buffering', 'no').header('cache-control', 'no-store').send(Readable.from(response.body));
}
