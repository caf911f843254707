import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort, makeAuthority, ROOT } from '@lending/testing';
import { type Served, serve } from '../cluster/serve.ts';

/** A stand-in for an api: says who it is and what it heard, and whether it is ready. */
export interface StandIn extends Served {
  readonly name: string;
  isReady: boolean;
}

export interface ProxyAnswer {
  readonly status: number | undefined;
  /** Which api answered; null where the proxy did itself. */
  readonly from: string | null;
  readonly heard: IncomingHttpHeaders;
}

export interface RunningProxy {
  /** What the configuration check of haproxy said: its exit code and its complaints. */
  readonly checked: readonly [code: number | null, complaints: string];
  ask(path: string, headers?: Readonly<Record<string, string>>): Promise<ProxyAnswer>;
  stop(): Promise<void>;
}

export async function startStandIn(name: string): Promise<StandIn> {
  const served = await serve(({ url, headers }, response) => {
    response.statusCode = url === '/readyz' && !standIn.isReady ? 503 : 200;
    response.setHeader('x-from', name).end(JSON.stringify(headers));
  });
  const standIn: StandIn = { ...served, name, isReady: true };
  return standIn;
}

/** Runs haproxy on `infra/proxy/haproxy.cfg`, with free ports of this machine, and these apis in place of those that DNS would name. */
export async function startProxy(apis: readonly StandIn[]): Promise<RunningProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'haproxy-'));
  const authority = await makeAuthority();
  const { cert, key } = await authority.certify();
  writeFileSync(join(folder, 'tls.crt'), cert);
  writeFileSync(join(folder, 'tls.crt.key'), key);
  const [port, health] = [await findFreePort(), await findFreePort()];
  const file = join(folder, 'haproxy.cfg');
  const servers = apis.map((api) => `  server ${api.name} 127.0.0.1:${api.port}`).join('\n');
  const text = readFileSync(join(ROOT, 'infra/proxy/haproxy.cfg'), 'utf8')
    .replaceAll('/run/tls', folder)
    .replace('bind :8443', `bind 127.0.0.1:${port}`)
    .replace('127.0.0.1:8404', `127.0.0.1:${health}`);
  writeFileSync(file, text);
  const { status, stderr } = spawnSync('haproxy', ['-c', '-f', file], { encoding: 'utf8' });
  const placed = text
    .replaceAll(' resolvers docker init-addr none', '')
    .replaceAll(/^ {2}server-template .*$/gm, servers);
  writeFileSync(file, placed.replaceAll(/^ {2}default-server$/gm, ''));
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' });
  return {
    checked: [status, stderr],
    ask: (path, headers = {}) => ask({ port, path, headers, ca: authority.cert }),
    async stop() {
      await end(child);
      rmSync(folder, { recursive: true });
    },
  };
}

interface Question {
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly ca: string;
}

async function ask({ port, path, headers, ca }: Question): Promise<ProxyAnswer> {
  const asked = request({ host: '127.0.0.1', port, path, headers, ca, agent: false });
  asked.end();
  const [response] = await once(asked, 'response');
  let text = '';
  for await (const chunk of response) text += chunk;
  const from = response.headers['x-from'] ?? null;
  return { status: response.statusCode, from, heard: from === null ? {} : JSON.parse(text) };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}
