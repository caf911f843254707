import type { FastifyInstance } from 'fastify';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import { type McpBody, readMcpBody } from './mcp-body.ts';
import { spend } from './spend.ts';

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
  { limiter, maxBodyBytes }: { readonly limiter: RateLimiter | null; readonly maxBodyBytes: number },
): void {
  app.addHook('onRequest', async (request) => {
    if (request.routeOptions.url !== MCP_PATH) return;
    request.mcpBody = await readMcpBody(request.raw, maxBodyBytes);
    await spend(limiter, request.visitor.client, 'mcp', request.mcpBody?.messages ?? 1);
  });
}
