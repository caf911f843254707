import { LendingError } from '@lending/errors';
import type { FastifyInstance } from 'fastify';
import { rateExceeded } from '../limits/rate-exceeded.ts';
import { rateHeaders } from '../limits/rate-headers.ts';
import type { RateLimiter, Verdict } from '../limits/rate-limiter.ts';
import { type McpBody, readMcpBody } from './mcp-body.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Of a request to `/mcp` alone; null: too long. */
    mcpBody?: McpBody | null;
  }
}

export const MCP_PATH = '/mcp';

/**
 * Counts the messages of every request to `/mcp`, of a batch each, before any is looked at; refuses with 429 what passes the limit.
 * Register it before whatever reads tokens: guesses are counted too. It reads the body, so that a batch is counted whole or not at all.
 */
export function countMessages(
  app: FastifyInstance,
  { limiter, maxBodyBytes }: { readonly limiter: RateLimiter; readonly maxBodyBytes: number },
): void {
  app.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.url !== MCP_PATH) return;
    request.mcpBody = await readMcpBody(request.raw, maxBodyBytes);
    const count = request.mcpBody?.messages ?? 1;
    const verdict = await limiter.spend(request.visitor.client, ['mcp'], count);
    reply.headers(rateHeaders(verdict));
    if (!verdict.accepted) throw count > verdict.limit ? batchExceeded(verdict, count) : rateExceeded(verdict);
  });
}

/** Waiting does not help who sends more at once than a minute has. */
function batchExceeded({ scope, limit, retryAfterS }: Verdict & { readonly accepted: false }, count: number) {
  return new LendingError('CALLER__RATE_EXCEEDED', {
    message: `A batch of ${count} messages passes the limit of /mcp — allowed: ${limit} in any 60 seconds — send them in smaller batches`,
    context: { scope, limit, retry_after_s: retryAfterS },
  });
}
