import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { connectNode } from './node.ts';

let server: Server;
let heard = 0;

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** A node that answers 7, but for its first answers. */
async function serve(first: readonly ((response: ServerResponse) => void)[]): Promise<string> {
  heard = 0;
  server = createServer((_, response) => {
    const answer = first[heard];
    heard += 1;
    if (answer === undefined) response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: 7 }));
    else answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret-key`;
}

const refuse = (status: number) => (response: ServerResponse) => void response.writeHead(status).end();
const drop = (response: ServerResponse) => void response.destroy();

describe('connectNode', () => {
  it('sends no more calls a second than it may, and counts them', async () => {
    const node = connectNode(await serve([]), 20);
    const startMs = performance.now();
    await Promise.all(Array.from({ length: 7 }, () => node.ask('getSlot')));
    expect(performance.now() - startMs).toBeGreaterThan(290);
    expect(node.calls).toBe(7);
  });

  it.each([
    ['limits', refuse(429)],
    ['drops', drop],
    ['has lost its node', refuse(502)],
  ])('asks again where a node %s', async (_what, once) => {
    expect(await connectNode(await serve([once])).ask('getSlot')).toBe(7);
    expect(heard).toBe(2);
  });

  it('gives up, and names no path, where a node goes on dropping or refuses for good', async () => {
    await expect(connectNode(await serve([drop, drop, drop])).ask('getSlot')).rejects.toThrow(
      /^127[^/]*does not answer getSlot/,
    );
    expect(heard).toBe(3);
    await expect(connectNode(await serve([refuse(403)])).ask('getSlot')).rejects.toThrow(/it answers 403$/);
    expect(heard).toBe(1);
  });
});
