import { AsyncLocalStorage } from 'node:async_hooks';
import { hostHeaderValidation, originValidation } from '@modelcontextprotocol/fastify';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { FastifyInstance } from 'fastify';
import { keepHeaders } from '../rest/keep-headers.ts';
import { MCP_PATH } from './count-messages.ts';
import { createMcpServerFactory, type McpServerOptions, type McpVisit } from './create-mcp-server.ts';
import { newSession } from './session.ts';

export interface McpRoutesOptions extends Omit<McpServerOptions, 'getVisit'> {
  /** Host names (no ports) that `Host` and `Origin` may carry; anything else is a rebinding attack or a stranger's page. */
  readonly allowedHosts: readonly string[];
  readonly maxBodyBytes: number;
}

/**
 * `/mcp`, for both generations of clients: the stateless 2026 revision and, one server per request, those before it.
 *
 * The protocol library is handed a malformed body as it came, because that must be answered in the protocol's own words.
 */
export async function mcpRoutes(scope: FastifyInstance, options: McpRoutesOptions): Promise<void> {
  const { logger } = options;
  const onerror = (error: Error) => logger.debug('mcp.request.refuse', { error });
  // The protocol library knows the web's requests only, and makes them anew: what we know of one goes around it.
  const visiting = new AsyncLocalStorage<McpVisit>();
  const getVisit = () => {
    const visit = visiting.getStore();
    if (visit === undefined) throw new TypeError('a request of /mcp came in by another way');
    return visit;
  };
  const handler = createMcpHandler(createMcpServerFactory({ ...options, getVisit }), {
    legacy: 'stateless',
    maxRequestBodySize: options.maxBodyBytes,
    onerror,
  });
  // JSON that was read is handed over as it is: of a text the library makes a stream, and two of that, to read it again.
  const answer = toNodeHandler(
    { fetch: (request, given) => handler.fetch(request, { ...given, parsedBody: getVisit().json }) },
    { maxRequestBodySize: options.maxBodyBytes, onerror },
  );
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
  scope.addHook('onRequest', hostHeaderValidation([...options.allowedHosts]));
  scope.addHook('onRequest', originValidation([...options.allowedHosts]));
  // After all that is under way was answered: the library ends such calls without a word.
  scope.addHook('onClose', async () => handler.close());
  scope.all(MCP_PATH, { schema: { hide: true } }, async (request, reply) => {
    const { mcpBody: body, visitor } = request;
    if (body === undefined) throw new TypeError('a request of /mcp was not counted');
    if (body === null) return reply.code(413).header('connection', 'close').send(tooLong(options.maxBodyBytes));
    if (body.isInitialize) reply.header('mcp-session-id', newSession(body.json));
    reply.raw.setHeader('x-content-type-options', 'nosniff').setHeader('cache-control', 'no-store');
    keepHeaders(reply);
    reply.hijack();
    const { method, url = MCP_PATH, headers } = request.raw;
    const again = { method: method ?? 'GET', url, headers: headers as Record<string, string | string[]> };
    const tellConversation = (id: string) => {
      if (!reply.raw.headersSent) reply.raw.setHeader('x-conversation-id', id);
    };
    const { isBatch, calledTools, json, text } = body;
    await visiting.run({ visitor, isBatch, calledTools, json, tellConversation }, () =>
      answer({ ...again, [Symbol.asyncIterator]: () => textOf(json === undefined ? text : '') }, reply.raw),
    );
  });
}

async function* textOf(text: string): AsyncGenerator<string> {
  if (text !== '') yield text;
}

function tooLong(maxBodyBytes: number) {
  const message = `Payload Too Large: Request body must not exceed ${maxBodyBytes} bytes`;
  return { jsonrpc: '2.0', error: { code: -32_000, message }, id: null };
}
