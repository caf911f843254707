import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HostRequest } from './builds/open-world.ts';

/**
 * Hosts in front of those whose URLs are the arguments, all in one process of their own, so that their clock is one: they pass requests
 * on, after so many milliseconds of network, and keep what they were asked and when. Prints a URL for each. At the first, `DELETE /asked`
 * hands out what all of them were asked and forgets it; `PUT /latency/20` sets the milliseconds. Ends with its parent.
 */
const targets = process.argv.slice(2).map((url) => new URL(url));
const agent = new Agent({ keepAlive: true });
let latencyMs = 0;
let asked: HostRequest[] = [];

const urls = await Promise.all(targets.map(listenFor));
process.stdout.write(`${urls.join(' ')}\n`);
process.once('SIGTERM', () => process.exit(0));

function listenFor(target: URL, host: number): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const server = createServer((incoming, outgoing) => void answer(target, host, incoming, outgoing));
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  return promise;
}

async function answer(target: URL, host: number, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const { method = 'GET', url: path = '/' } = incoming;
  if (method === 'DELETE') {
    outgoing.end(JSON.stringify(asked));
    asked = [];
    return;
  }
  if (method === 'PUT') {
    latencyMs = Number(path.split('/').at(-1));
    outgoing.end();
    return;
  }
  const startedAt = performance.now();
  const body = await buffer(incoming);
  if (latencyMs > 0) await sleep(latencyMs);
  const { status, reply } = await passOn(target, { method, path, body });
  asked.push({ host, method, path, startedAt, endedAt: performance.now(), body: body.toString('utf8') });
  outgoing.writeHead(status, { 'content-type': 'application/json', 'content-length': reply.length });
  outgoing.end(reply);
}

interface Passed {
  readonly method: string;
  readonly path: string;
  readonly body: Buffer;
}

function passOn(
  target: URL,
  { method, path, body }: Passed,
): Promise<{ readonly status: number; readonly reply: Buffer }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ readonly status: number; readonly reply: Buffer }>();
  const headers = { 'content-type': 'application/json', 'content-length': body.length };
  const sent = request(new URL(path, target), { method, agent, headers }, (response) => {
    const status = response.statusCode ?? 502;
    buffer(response).then((reply) => resolve({ status, reply }), reject);
  });
  sent.once('error', reject);
  sent.end(body);
  return promise;
}
