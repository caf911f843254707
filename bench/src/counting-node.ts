import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NodeRequest } from './builds/node-request.ts';

/**
 * A node in front of the one whose URL is the argument, as a process of its own: it passes JSON-RPC on, after so many milliseconds of
 * network, and keeps what it was asked and when. `DELETE /asked` hands that out and forgets it; `PUT /latency/20` sets the milliseconds.
 * Ends with its parent.
 */
const target = new URL(process.argv[2] ?? '');
const agent = new Agent({ keepAlive: true });
let latencyMs = 0;
let asked: NodeRequest[] = [];

const server = createServer((incoming, outgoing) => void answer(incoming, outgoing));
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.once('SIGTERM', () => process.exit(0));

async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  if (incoming.method === 'DELETE') {
    outgoing.end(JSON.stringify(asked));
    asked = [];
    return;
  }
  if (incoming.method === 'PUT') {
    latencyMs = Number(incoming.url?.split('/').at(-1));
    outgoing.end();
    return;
  }
  const startedAt = performance.now();
  const body = await buffer(incoming);
  if (latencyMs > 0) await sleep(latencyMs);
  const reply = await passOn(body);
  asked.push({ startedAt, endedAt: performance.now(), body: body.toString('utf8') });
  outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': reply.length });
  outgoing.end(reply);
}

function passOn(body: Buffer): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const headers = { 'content-type': 'application/json', 'content-length': body.length };
  const sent = request(target, { method: 'POST', agent, headers }, (response) => {
    buffer(response).then(resolve, reject);
  });
  sent.once('error', reject);
  sent.end(body);
  return promise;
}
