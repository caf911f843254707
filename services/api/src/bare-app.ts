import type { Logger, Metrics } from '@lending/runtime';
import fastify, { type FastifyInstance } from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import type { Operation } from '#tools/tool.ts';
import { addCallers } from './callers/add-callers.ts';
import type { TokenStore } from './callers/token-store.ts';
import { addRateLimits } from './limits/add-rate-limits.ts';
import type { RateLimiter } from './limits/rate-limiter.ts';
import { countMessages } from './mcp/count-messages.ts';
import { answerClientError } from './rest/client-errors.ts';
import { addCrossOrigin } from './rest/cross-origin.ts';
import { addErrorHandlers, sendFrameworkError } from './rest/error-handlers.ts';
import { addRequestLog } from './rest/request-log.ts';
import { addRequestMetrics } from './rest/request-metrics.ts';
import { addTransportSecurity } from './tls/add-transport-security.ts';
import { tlsServerFactory } from './tls/create-tls-server.ts';
import type { Certificate } from './tls/read-certificate.ts';
import { addVisitors } from './visitors/add-visitors.ts';
import { endConnections } from './visitors/end-connections.ts';
import { addRequestScope } from './visitors/in-request.ts';
import {
  type ConnectionLimits,
  connectionOptions,
  DEFAULT_CONNECTION_LIMITS,
  limitConnections,
} from './visitors/limit-connections.ts';
import { createProxyTrust } from './visitors/trusted-proxies.ts';

export interface BareAppDeps {
  readonly limiter: RateLimiter;
  /** Addresses and ranges whose X-Forwarded-For is believed. Default: nobody's. */
  readonly trustedProxies?: readonly string[];
  readonly tokens: TokenStore;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly maxBodyBytes: number;
  /** With one, the app speaks TLS alone. Default: none. */
  readonly certificate?: Certificate | null;
  /** Hosts whose pages may ask `/mcp`. Default: none. */
  readonly allowedHosts?: readonly string[];
  /** Default: what the settings say unless an operator sets others. */
  readonly connections?: ConnectionLimits;
  /** Aborts when the service is about to stop, while it goes on serving. Default: it stops without a word before. */
  readonly stopping?: AbortSignal;
}

/** What every door stands behind, whatever is served: who asks, what is counted, how failures are worded. */
export async function createBareApp(deps: BareAppDeps, operations: readonly Operation[]): Promise<FastifyInstance> {
  const { limiter, tokens, logger, metrics, maxBodyBytes, connections = DEFAULT_CONNECTION_LIMITS } = deps;
  const { certificate = null } = deps;
  const isProxy = createProxyTrust(deps.trustedProxies ?? []);
  const app = fastify({
    logger: false,
    bodyLimit: maxBodyBytes,
    trustProxy: isProxy,
    ...connectionOptions(connections),
    ...(certificate !== null && { serverFactory: tlsServerFactory(certificate, connections) }),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 100 },
    frameworkErrors: sendFrameworkError,
    clientErrorHandler: answerClientError,
    // What comes while it stops is answered as ever, and its connection ended: who is told to try again would be told so in others' words.
    return503OnClosing: false,
  });
  // Node refuses what it cannot expect, without a word; whoever asks is free to overlook it (RFC 9110 §10.1.1).
  app.server.on('checkExpectation', (request, response) => void app.server.emit('request', request, response));
  // Bodies are JSON: a text, which is what many clients call it unasked, is told so.
  app.removeContentTypeParser('text/plain');
  app.setSerializerCompiler(serializerCompiler);
  // Before any plugin has routes of its own: those answer failures as it was when they were made.
  addErrorHandlers(app, { logger, bodyLimitBytes: maxBodyBytes });
  limitConnections(app, { limits: connections, isProxy, metrics });
  endConnections(app, { limits: connections, ...(deps.stopping !== undefined && { stopping: deps.stopping }) });
  addVisitors(app);
  addRequestScope(app);
  addTransportSecurity(app);
  await addCrossOrigin(app, deps.allowedHosts ?? []);
  countMessages(app, { limiter, maxBodyBytes });
  addRateLimits(app, { limiter, operations });
  addCallers(app, tokens);
  addRequestMetrics(app, metrics);
  addRequestLog(app, logger);
  app.addHook('onSend', async (_request, reply) => {
    reply.header('x-content-type-options', 'nosniff');
  });
  return app;
}
