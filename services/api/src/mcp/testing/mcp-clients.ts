import { createLogger } from '@lending/runtime';
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import fastify, { type FastifyInstance } from 'fastify';
import { readGuide } from '#guide/read-guide.ts';
import { createAnswerCall } from '#tools/answer-call.ts';
import type { Tool } from '#tools/tool.ts';
import type { RateLimiter } from '../../limits/rate-limiter.ts';
import { addErrorHandlers } from '../../rest/error-handlers.ts';
import { createTestLimiter } from '../../testing/test-app.ts';
import { addVisitors } from '../../visitors/add-visitors.ts';
import { countMessages } from '../count-messages.ts';
import { mcpRoutes } from '../mcp-routes.ts';

export type { ModernClient };

/** The revision of the protocol that has neither sessions nor a handshake. */
export const MODERN_REVISION = '2026-07-28';

/** One program of each generation, for tests that hold for both. */
export const GENERATIONS = [
  ['the 2025 client', connectLegacy],
  ['the 2026 client', connectModern],
] as const;

const ITSELF = { name: 'test', version: '1' };

/** What a client sends besides, and what it calls itself. */
export interface ClientOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly itself?: typeof ITSELF;
  readonly fetch?: typeof fetch;
}

const sending = ({ headers = {}, fetch: send }: ClientOptions) => ({
  requestInit: { headers },
  ...(send !== undefined && { fetch: send }),
});

/** A client of the revisions up to 2025-11-25. */
export async function connectLegacy(url: URL, options: ClientOptions = {}): Promise<LegacyClient> {
  const client = new LegacyClient(options.itself ?? ITSELF);
  const transport = new LegacyTransport(url, sending(options));
  await client.connect(transport as unknown as Parameters<typeof client.connect>[0]);
  return client;
}

/** A client of the 2026 revision: its library speaks the older ones unless it is told. */
export async function connectModern(url: URL, options: ClientOptions = {}): Promise<ModernClient> {
  const pinned = { versionNegotiation: { mode: { pin: MODERN_REVISION } } } as const;
  const client = new ModernClient(options.itself ?? ITSELF, pinned);
  await client.connect(new ModernTransport(url, sending(options)));
  return client;
}

/** A client of an app that listens from here on; it checks every answer against the schema of its tool. */
export async function listenForAgents(app: FastifyInstance): Promise<ModernClient> {
  await app.listen({ host: '127.0.0.1', port: 0 });
  const client = await connectModern(new URL('/mcp', app.listeningOrigin));
  await client.listTools();
  return client;
}

const BODY_LIMIT_BYTES = 10_000;

/** `/mcp` alone, with tools of a test's own; it listens. */
export async function startMcpApp(
  tools: readonly Tool[],
  { limiter = createTestLimiter() }: { readonly limiter?: RateLimiter } = {},
): Promise<{ readonly app: FastifyInstance; readonly url: URL }> {
  const logger = createLogger({ level: 'silent', name: 'test' });
  const app = fastify();
  addVisitors(app);
  countMessages(app, { limiter, maxBodyBytes: BODY_LIMIT_BYTES });
  addErrorHandlers(app, { logger, bodyLimitBytes: BODY_LIMIT_BYTES });
  await app.register(mcpRoutes, {
    tools,
    guide: readGuide(),
    symbols: () => [],
    answerCall: createAnswerCall({ assertConversation: async () => {}, record: async () => {} }),
    limiter,
    logger,
    version: '0.1.0',
    allowedHosts: ['localhost', '127.0.0.1'],
    maxBodyBytes: BODY_LIMIT_BYTES,
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  return { app, url: new URL('/mcp', app.listeningOrigin) };
}
