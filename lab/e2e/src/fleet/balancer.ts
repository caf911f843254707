import {
  Agent,
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
  type ServerResponse,
} from 'node:http';
import { type Served, serve } from '../cluster/serve.ts';

/** A request that was not answered as an instance meant to. */
export interface LostExchange {
  readonly instance: string | null;
  readonly path: string;
  readonly reason: string;
  readonly beganMs: number;
}

export interface Balancer extends Served {
  /** Sends to this one as soon as it says that it is ready. */
  add(name: string, url: string): void;
  remove(name: string): void;
  readonly lost: readonly LostExchange[];
  /** Answers of 500 and above. */
  readonly failed: readonly { readonly instance: string; readonly path: string; readonly status: number }[];
}

interface Instance {
  readonly name: string;
  readonly url: URL;
  readonly agent: Agent;
  isReady: boolean;
  readonly stopProbing: () => void;
}

/** How often instances are asked whether they are ready. Draining lasts longer. */
const PROBE_MS = 200;
const PROBE_TIMEOUT_MS = 5_000;
/** Probes that come to nothing before who does not answer is called gone; who says that it is not ready is believed at once. */
const MOST_UNANSWERED = 3;
/** Of one hop, not of the message (RFC 9110 §7.6.1). */
const HOP_HEADERS = new Set(['connection', 'keep-alive', 'transfer-encoding', 'proxy-connection', 'upgrade', 'te']);
/** Says which instance answered. */
export const INSTANCE_HEADER = 'x-test-instance';

/**
 * Spreads requests in turn over the instances whose `/readyz` answers 200, on connections that are kept. It repeats nothing, so that a
 * request which an instance loses is seen; it takes an instance that refuses a connection for gone until that says it is ready again.
 */
export async function startBalancer(): Promise<Balancer> {
  const instances: Instance[] = [];
  const lost: LostExchange[] = [];
  const failed: { instance: string; path: string; status: number }[] = [];
  let turn = 0;

  function pick(): Instance | undefined {
    const ready = instances.filter(({ isReady }) => isReady);
    turn += 1;
    return ready[turn % ready.length];
  }

  function forward(asked: IncomingMessage, reply: ServerResponse): void {
    const beganMs = performance.now();
    const path = asked.url ?? '/';
    const instance = pick();
    const lose = (reason: string): void => {
      lost.push({ instance: instance?.name ?? null, path, reason, beganMs });
      if (reply.headersSent) reply.destroy();
      else reply.writeHead(502).end(reason);
    };
    if (instance === undefined) {
      lose('no instance is ready');
      return;
    }
    let isOver = false;
    const sent = request(new URL(path, instance.url), {
      method: asked.method ?? 'GET',
      agent: instance.agent,
      headers: { 'x-forwarded-for': asked.socket.remoteAddress, ...forwarded(asked.headers) },
    });
    sent.once('error', (error: NodeJS.ErrnoException) => {
      if (isOver) return;
      isOver = true;
      if (error.code === 'ECONNREFUSED') instance.isReady = false;
      lose(error.code ?? error.message);
    });
    sent.once('response', (answer) => {
      const status = answer.statusCode ?? 0;
      if (status >= 500) failed.push({ instance: instance.name, path, status });
      reply.writeHead(status, { ...forwarded(answer.headers), [INSTANCE_HEADER]: instance.name });
      reply.flushHeaders();
      answer.pipe(reply);
      answer.once('close', () => {
        if (isOver) return;
        isOver = true;
        if (!answer.complete) lose('cut off in the answer');
      });
    });
    reply.once('close', () => {
      if (reply.writableFinished) return;
      // Whoever asked has left.
      isOver = true;
      sent.destroy();
    });
    asked.pipe(sent);
  }

  const server = createServer(forward);
  // Clients keep their connections as long as they like: one that ends here just as they ask would look like a lost request.
  server.keepAliveTimeout = 0;
  server.requestTimeout = 0;
  const served = await serve(server);
  return {
    ...served,
    add(name, url) {
      const agent = new Agent({ keepAlive: true });
      let unanswered = 0;
      const probing = setInterval(async () => {
        const status = await probe(url);
        unanswered = status === null ? unanswered + 1 : 0;
        if (status !== null) instance.isReady = status === 200;
        else if (unanswered >= MOST_UNANSWERED) instance.isReady = false;
      }, PROBE_MS);
      const instance: Instance = {
        name,
        url: new URL(url),
        agent,
        isReady: false,
        stopProbing: () => clearInterval(probing),
      };
      instances.push(instance);
    },
    remove(name) {
      const at = instances.findIndex((instance) => instance.name === name);
      const [gone] = at === -1 ? [] : instances.splice(at, 1);
      gone?.stopProbing();
    },
    lost,
    failed,
    async stop() {
      for (const { stopProbing, agent } of instances) {
        stopProbing();
        agent.destroy();
      }
      await served.stop();
    },
  };
}

/** What an instance says of itself; null where it says nothing. */
async function probe(url: string): Promise<number | null> {
  try {
    const response = await fetch(new URL('/readyz', url), { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
    await response.body?.cancel();
    return response.status;
  } catch {
    return null;
  }
}

function forwarded(headers: IncomingMessage['headers']): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_HEADERS.has(name)));
}
