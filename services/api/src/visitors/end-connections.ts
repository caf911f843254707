import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { ConnectionLimits } from './limit-connections.ts';

export interface EndConnectionsOptions {
  /** Aborts when the service is about to stop, while it goes on serving. Without, it stops at once. */
  readonly stopping?: AbortSignal;
  readonly limits: Pick<ConnectionLimits, 'headMs' | 'requestMs'>;
}

/** How long what was asked is worked on at the end: a build waits for its place, is given up after 40 s, and is read by who asked. */
export const FINISH_MS = 55_000;
/** How long connections that arrived before the end are taken in, where new ones do not cease to come. */
const MAX_ACCEPT_MS = 1_000;
/** How long a connection may have said nothing at all, at the end: what was on its way has arrived by then. */
const SILENT_MS = 1_000;

/**
 * Ends connections when the server stops, each with an answer where one was asked for: `connection: close` tells who asked to ask no more
 * on it. One that was kept open would hold the server up for as long as its client likes.
 *
 * States: serving → stopping (answers say that they are the last ones of their connections) → ending (what arrived is taken in; nothing
 * new is) → ended, when the last answer has left or its connection had its time.
 */
export function endConnections(app: FastifyInstance, { stopping, limits }: EndConnectionsOptions): void {
  const answering = new Set<ServerResponse>();
  const open = new Map<string, Socket>();
  let accepted = 0;
  let isStopping = false;

  function stop(): void {
    isStopping = true;
    for (const raw of answering) raw.shouldKeepAlive = false;
  }

  /** What the system has accepted for us would be reset with the door that it came to; a round of the event loop takes one. */
  async function takeIn(): Promise<void> {
    const untilMs = performance.now() + MAX_ACCEPT_MS;
    let before: number;
    do {
      before = accepted;
      // What has arrived is read in the next turn at the latest; until then its connection looks idle, and would be closed.
      await turn();
      await turn();
    } while (accepted > before && performance.now() < untilMs);
  }

  /** Node looks at how long requests take to arrive only while it listens. */
  function endLater(): void {
    endAfter(SILENT_MS, ({ bytesRead }) => bytesRead === 0);
    endAfter(limits.headMs, (_socket, raw) => raw === undefined);
    endAfter(limits.requestMs, (_socket, raw) => raw?.req.complete !== true);
    endAfter(FINISH_MS, () => true);
  }

  function endAfter(ms: number, isOver: (socket: Socket, answer: ServerResponse | undefined) => boolean): void {
    setTimeout(() => {
      const answers = new Map([...answering].map((raw) => [peerOf(raw.req.socket), raw]));
      for (const [peer, socket] of open) if (isOver(socket, answers.get(peer))) socket.destroy();
    }, ms).unref();
  }

  stopping?.addEventListener('abort', stop, { once: true });
  app.server.on('connection', (socket: Socket) => {
    accepted += 1;
    const peer = peerOf(socket);
    open.set(peer, socket);
    socket.once('close', () => open.delete(peer));
  });
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
    stop();
    await takeIn();
    endLater();
  });
}

/** Names a connection: what a request of HTTPS calls its socket is not what was accepted, and both say where they lead. */
function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
