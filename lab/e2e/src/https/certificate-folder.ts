import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CertificateWishes, makeAuthority } from '@lending/testing';
import { type Served, serve } from '../cluster/serve.ts';

/** Files of a certificate, as an operator keeps them, and of the authority that clients are told to trust. */
export interface CertificateFolder {
  readonly authority: string;
  readonly authorityFile: string;
  readonly settings: { readonly TLS_CERT: string; readonly TLS_KEY: string };
  /** Writes another certificate of the same authority over the one that was. */
  renew(wishes?: CertificateWishes): Promise<void>;
  stop(): Promise<void>;
}

export async function makeCertificateFolder(): Promise<CertificateFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'https-'));
  const authority = await makeAuthority();
  const settings = { TLS_CERT: join(folder, 'tls.crt'), TLS_KEY: join(folder, 'tls.key') };
  const authorityFile = join(folder, 'ca.crt');
  await writeFile(authorityFile, authority.cert);
  async function renew(wishes?: CertificateWishes): Promise<void> {
    const { cert, key } = await authority.certify(wishes);
    await writeFile(settings.TLS_KEY, key, { mode: 0o600 });
    await writeFile(settings.TLS_CERT, cert);
  }
  await renew();
  const stop = () => rm(folder, { recursive: true, force: true });
  return { authority: authority.cert, authorityFile, settings, renew, stop };
}

/** A proxy as operators put before services: it speaks TLS with whoever asks, plain HTTP with the service, and says who asked and how. */
export function startTlsProxy(serviceUrl: string, { settings }: CertificateFolder): Promise<Served> {
  const cert = readFileSync(settings.TLS_CERT);
  const key = readFileSync(settings.TLS_KEY);
  return serve(createServer({ cert, key }, (asked, answer) => pass(serviceUrl, asked, answer)));
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
