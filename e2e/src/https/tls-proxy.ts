import { readFileSync } from 'node:fs';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { CertificateFolder } from './certificate-folder.ts';

export interface TlsProxy extends AsyncDisposable {
  readonly url: string;
}

/** A proxy as operators put before services: it speaks TLS with whoever asks, plain HTTP with the service, and says who asked and how. */
export async function startTlsProxy(serviceUrl: string, { settings }: CertificateFolder): Promise<TlsProxy> {
  const cert = readFileSync(settings.TLS_CERT);
  const key = readFileSync(settings.TLS_KEY);
  const server = createServer({ cert, key }, (asked, answer) => pass(serviceUrl, asked, answer));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function pass(serviceUrl: string, asked: IncomingMessage, answer: ServerResponse): void {
  const headers = {
    ...asked.headers,
    'x-forwarded-for': asked.socket.remoteAddress,
    'x-forwarded-proto': 'https',
  };
  const passed = request(new URL(asked.url ?? '/', serviceUrl), { method: asked.method ?? 'GET', headers }, (given) => {
    answer.writeHead(given.statusCode ?? 502, given.headers);
    given.pipe(answer);
  });
  passed.on('error', () => answer.destroy());
  asked.pipe(passed);
}
