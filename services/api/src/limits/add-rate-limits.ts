import type { FastifyInstance } from 'fastify';
import type { Operation } from '#tools/tool.ts';
import { rateExceeded } from './rate-exceeded.ts';
import { rateHeaders } from './rate-headers.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { scopesOf } from './request-scopes.ts';

export interface RateLimitsOptions {
  readonly limiter: RateLimiter;
  readonly operations: readonly Operation[];
}

/**
 * Counts every request of REST before anything of it is looked at, its token and its body included, and refuses it where its client has
 * nothing left. Register it after visitors and before callers. `/mcp` counts its messages itself.
 */
export function addRateLimits(app: FastifyInstance, { limiter, operations }: RateLimitsOptions): void {
  const leveragePaths = new Set(
    operations.filter(({ rateScope }) => rateScope === 'leverage').map(({ rest }) => rest.path),
  );
  app.addHook('onRequest', async (request, reply) => {
    const scopes = scopesOf(request, leveragePaths);
    if (scopes.length === 0) return;
    const verdict = await limiter.spend(request.visitor.client, scopes, 1);
    reply.headers(rateHeaders(verdict));
    if (!verdict.accepted) throw rateExceeded(verdict);
  });
}
