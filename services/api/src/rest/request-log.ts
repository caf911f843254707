import type { Logger } from '@lending/runtime';
import type { FastifyInstance } from 'fastify';
import { inRequest } from '../visitors/in-request.ts';

/**
 * Tells of every request how it was answered, by the id that its caller was told. By route, never by path: what a caller wrote into a URL may be
 * a secret. At debug: at any other level a service that is asked much would log nothing else.
 */
export function addRequestLog(app: FastifyInstance, logger: Logger): void {
  app.addHook('onResponse', async (request, { statusCode: status, elapsedTime }) => {
    const { method, routeOptions } = request;
    const fields = { method, route: routeOptions.url ?? 'none', status, ms: Math.round(elapsedTime) };
    inRequest(request, () => logger.debug('rest.request.answer', fields));
  });
}
