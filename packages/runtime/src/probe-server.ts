import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Metrics } from './metrics.ts';
import type { Readiness } from './readiness.ts';
import { fromSystemError } from './system-error.ts';

export interface ProbeServerOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly readiness: Readiness;
  readonly metrics: Metrics;
}

export interface ProbeServer {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * What an operator asks a service that has no door of its own: `/healthz` (alive, as the api says it), `/readyz` (200, or 503 with the reasons),
 * `/metrics` (Prometheus).
 * @throws RUNTIME__PORT_UNAVAILABLE when the port is taken.
 * @throws CONFIG__INVALID naming PROBE_HOST when it is no address of this machine.
 */
export async function startProbeServer(options: ProbeServerOptions): Promise<ProbeServer> {
  const { host, port, readiness, metrics } = options;
  const server = createServer(async (request, response) => {
    switch (request.url) {
      case '/healthz':
        response.setHeader('content-type', 'application/json');
        return void response.end(JSON.stringify({ status: 'alive' }));
      case '/readyz': {
        const status = readiness.getStatus();
        response.writeHead(status.ready ? 200 : 503, { 'content-type': 'application/json' });
        return void response.end(JSON.stringify(status));
      }
      case '/metrics':
        response.setHeader('content-type', metrics.contentType);
        return void response.end(await metrics.render());
      default:
        return void response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(fromSystemError(error, { name: 'PROBE_HOST', value: host })));
    server.listen(port, host, resolve);
  });
  const bound = (server.address() as AddressInfo).port;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
