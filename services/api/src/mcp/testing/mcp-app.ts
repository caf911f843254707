import { createLogger } from '@lending/runtime';
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
