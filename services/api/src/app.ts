import type { Logger, Metrics } from '@lending/runtime';
import fastify, { type FastifyInstance } from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import { readGuide } from '#guide/read-guide.ts';
import type { ReadDeps } from '#reads/read-deps.ts';
import type { BuilderDeps } from '#tools/builder-deps.ts';
import { addCallers } from './callers/add-callers.ts';
import type { TokenStore } from './callers/token-store.ts';
import { graphqlRoutes } from './graphql/graphql-routes.ts';
import type { GraphqlLimits } from './graphql/limits/graphql-limits.ts';
import { addRateLimits } from './limits/add-rate-limits.ts';
import type { RateLimiter } from './limits/rate-limiter.ts';
import type { LiveHub } from './live/live-hub.ts';
import { streamRoutes } from './live/stream-routes.ts';
import { countMessages } from './mcp/count-messages.ts';
import type { McpExtension } from './mcp/create-mcp-server.ts';
import { mcpRoutes } from './mcp/mcp-routes.ts';
import { pageRoutes } from './pages/page-routes.ts';
import { answerClientError } from './rest/client-errors.ts';
import { addErrorHandlers, sendFrameworkError } from './rest/error-handlers.ts';
import { addOpenApi } from './rest/openapi.ts';
import { operationRoutes } from './rest/operation-routes.ts';
import { probeRoutes } from './rest/probe-routes.ts';
import { addRequestMetrics } from './rest/request-metrics.ts';
import { createRestOperations, createTools } from './tools/registry.ts';
import { addVisitors } from './visitors/add-visitors.ts';
import { createProxyTrust } from './visitors/trusted-proxies.ts';

export interface AppDeps {
  readonly reads: ReadDeps;
  readonly builders: BuilderDeps;
  readonly limiter: RateLimiter;
  /** Addresses and ranges whose X-Forwarded-For is believed. Default: nobody's. */
  readonly trustedProxies?: readonly string[];
  readonly tokens: TokenStore;
  readonly live: LiveHub;
  /** How long a stream waits for a reader that takes nothing. */
  readonly streamStallMs: number;
  /** What one query may take. Default: what the settings say unless an operator sets others. */
  readonly graphqlLimits?: GraphqlLimits;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Host names that may appear in `Host` and `Origin` of `/mcp`, without ports. */
  readonly allowedHosts: readonly string[];
  readonly maxBodyBytes: number;
  readonly mcpExtension?: McpExtension;
}

/** Puts the doors together. Listens on nothing: the caller does, or a test injects requests. */
export async function buildApp(deps: AppDeps): Promise<FastifyInstance> {
  const { reads, builders, limiter, logger, metrics, maxBodyBytes } = deps;
  const guide = readGuide();
  const tools = createTools({ reads, builders, guide });
  const operations = [...tools, ...createRestOperations({ reads, builders })];
  const app = fastify({
    logger: false,
    bodyLimit: maxBodyBytes,
    trustProxy: createProxyTrust(deps.trustedProxies ?? []),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 100 },
    frameworkErrors: sendFrameworkError,
    clientErrorHandler: answerClientError,
  });
  // Bodies are JSON: a text, which is what many clients call it unasked, is told so.
  app.removeContentTypeParser('text/plain');
  app.setSerializerCompiler(serializerCompiler);
  addVisitors(app);
  countMessages(app, { limiter, maxBodyBytes });
  addRateLimits(app, { limiter, operations });
  addCallers(app, deps.tokens);
  addErrorHandlers(app, { logger, bodyLimitBytes: maxBodyBytes });
  addRequestMetrics(app, metrics);
  app.addHook('onSend', async (_request, reply) => {
    reply.header('x-content-type-options', 'nosniff');
  });
  await addOpenApi(app, reads.version);
  await app.register(operationRoutes, { operations });
  await app.register(streamRoutes, { hub: deps.live, stallMs: deps.streamStallMs, logger });
  await app.register(graphqlRoutes, { reads, live: deps.live, logger, limits: deps.graphqlLimits });
  await app.register(probeRoutes, { deps: reads, metrics });
  await app.register(pageRoutes);
  await app.register(mcpRoutes, {
    tools,
    limiter,
    logger,
    version: reads.version,
    allowedHosts: deps.allowedHosts,
    maxBodyBytes,
    ...(deps.mcpExtension !== undefined && { extension: deps.mcpExtension }),
  });
  await app.ready();
  return app;
}
