import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

/**
 * Ends connections once their answers have left when the server stops: one that is kept open holds it up for as long as its client likes. Whoever
 * has no answer yet is told by `connection: close`, so that he asks nothing more on it.
 */
export function endConnections(app: FastifyInstance): void {
  const answering = new Set<ServerResponse>();
  let isStopping = false;
  app.addHook('onRequest', async (_request, { raw }) => {
    answering.add(raw);
    raw.shouldKeepAlive &&= !isStopping;
    raw.once('close', () => {
      answering.delete(raw);
      // Streams, whose heads had left.
      if (isStopping) setImmediate(() => app.server.closeIdleConnections());
    });
  });
  app.addHook('preClose', async () => {
    isStopping = true;
    for (const raw of answering) raw.shouldKeepAlive = false;
  });
}
