import type { ServerResponse } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/**
 * Ends connections when the server stops, each with an answer where one was asked for: `connection: close` tells who asked to ask no more
 * on it. One that was kept open would hold the server up for as long as its client likes.
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
      if (isStopping && !app.server.listening) setImmediate(() => app.server.closeIdleConnections());
    });
  });
  app.addHook('preClose', async () => {
    isStopping = true;
    for (const raw of answering) raw.shouldKeepAlive = false;
    // What has arrived is read in the next turn at the latest; until then its connection looks idle, and would be closed.
    await turn();
    await turn();
  });
}
