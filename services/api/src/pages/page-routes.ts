import { loadDashboard, PAGE_PATHS, type PageReply } from '@lending/dashboard';
import { LendingError } from '@lending/errors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/**
 * The pages at `/` and what they load. Paths that are no page stay what they were: an error of the wire.
 * They are read and compressed when somebody first asks: an api that nobody looks at spends nothing on them.
 */
export async function pageRoutes(scope: FastifyInstance): Promise<void> {
  const hidden = { schema: { hide: true } };
  for (const path of PAGE_PATHS) {
    scope.get(path, hidden, async (request, reply) => {
      const dashboard = await loadDashboard();
      return send(reply, dashboard.answerPage(pageRequest(request)));
    });
  }
  scope.get('/assets/*', hidden, async (request, reply) => {
    const dashboard = await loadDashboard();
    const found = dashboard.answerAsset(request.url.split('?')[0] as string, pageRequest(request));
    if (found !== null) return send(reply, found);
    throw new LendingError('ROUTE__NOT_FOUND', {
      message: 'There is no such asset — allowed: the URLs that the page names — load the page again',
      context: {},
    });
  });
}

function pageRequest({ headers }: FastifyRequest) {
  return { acceptEncoding: headers['accept-encoding']?.toString(), ifNoneMatch: headers['if-none-match'] };
}

function send(reply: FastifyReply, { status, headers, body }: PageReply): FastifyReply {
  // HEAD's route takes no null for a body.
  return reply
    .code(status)
    .headers(headers)
    .send(body ?? undefined);
}
