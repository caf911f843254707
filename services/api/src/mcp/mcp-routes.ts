import { AsyncLocalStorage } from 'node:async_hooks';
import { hostHeaderValidation, originValidation } from '@modelcontextprotocol/fastify';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { FastifyInstance } from 'fastify';
import type { Visitor } from '../visitors/visitor.ts';
import { createMcpServerFactory, type McpServerOptions } from './create-mcp-server.ts';

export interface McpRoutesOptions extends Omit<McpServerOptions, 'getVisitor'> {
  /** Host names (no ports) that `Host` and `Origin` may carry; anything else is a rebinding attack or a stranger's page. */
  readonly allowedHosts: readonly string[];
  readonly maxBodyBytes: number;
}

/**
 * `/mcp`, for both generations of clients: the stateless 2026 revision and, one server per request, those before it.
 *
 * The protocol library reads the body itself, because a malformed one must be answered in the protocol's own words.
 */
export async function mcpRoutes(scope: FastifyInstance, options: McpRoutesOptions): Promise<void> {
  const { logger } = options;
  const onerror = (error: Error) => logger.debug('mcp.request.refuse', { error });
  // The protocol library knows the web's requests only, and makes them anew: what we know of one goes around it.
  const visiting = new AsyncLocalStorage<Visitor>();
  const getVisitor = () => {
    const visitor = visiting.getStore();
    if (visitor === undefined) throw new TypeError('a request of /mcp came in by another way');
    return visitor;
  };
  const handler = createMcpHandler(createMcpServerFactory({ ...options, getVisitor }), {
    legacy: 'stateless',
    maxRequestBodySize: options.maxBodyBytes,
    onerror,
  });
  const answer = toNodeHandler(handler, { maxRequestBodySize: options.maxBodyBytes, onerror });
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
  scope.addHook('onRequest', hostHeaderValidation([...options.allowedHosts]));
  scope.addHook('onRequest', originValidation([...options.allowedHosts]));
  scope.addHook('preClose', async () => handler.close());
  scope.all('/mcp', { schema: { hide: true } }, async (request, reply) => {
    reply.hijack();
    // The adapter's type leaves out the `undefined` that Node's own fields may hold.
    await visiting.run(request.visitor, () => answer(request.raw as Parameters<typeof answer>[0], reply.raw));
  });
}
