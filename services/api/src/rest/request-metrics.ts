import type { Metrics } from '@lending/runtime';
import type { FastifyInstance } from 'fastify';

/** Counts and times every request by route, never by path: paths hold addresses without end. */
export function addRequestMetrics(app: FastifyInstance, metrics: Metrics): void {
  const duration = metrics.histogram({
    name: 'api.request.answer',
    help: 'Seconds from the head of a request to the end of its reply',
    unit: 'seconds',
    labels: ['method', 'route', 'status'],
  });
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none';
    duration.observe({ method: request.method, route, status: String(reply.statusCode) }, reply.elapsedTime / 1000);
  });
}
