import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectNode } from './node.ts';
import { type RefusingNode, startRefusingNode } from './start-refusing-node.ts';

let upstream: Server;
let heard: string[];
let node: RefusingNode;

beforeEach(async () => {
  heard = [];
  upstream = createServer(async (request, response) => {
    const body = await text(request);
    heard.push(body);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: 7 }));
  });
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  node = await startRefusingNode(`http://127.0.0.1:${(upstream.address() as AddressInfo).port}/`);
});
afterEach(async () => {
  await node.close();
  upstream.closeAllConnections();
  await new Promise((resolve) => upstream.close(resolve));
});

const post = async (body: unknown) =>
  (await fetch(node.url, { method: 'POST', body: JSON.stringify(body) })).json() as Promise<unknown>;

describe('startRefusingNode', () => {
  it('passes on what asks, and counts it', async () => {
    expect(await connectNode(node.url).ask('getSlot')).toBe(7);
    expect(heard).toHaveLength(1);
    expect([...node.asked]).toEqual([['getSlot', 1]]);
    expect(node.refused).toEqual([]);
  });

  it.each(['sendTransaction', 'sendBundle', 'sendRawTransaction', 'requestAirdrop'])(
    'passes on no %s, alone or among others',
    async (method) => {
      expect(await post({ jsonrpc: '2.0', id: 5, method })).toMatchObject({ id: 5, error: { code: -32_601 } });
      expect(
        await post([
          { jsonrpc: '2.0', id: 1, method: 'getSlot' },
          { jsonrpc: '2.0', id: 2, method },
        ]),
      ).toMatchObject([
        { id: 1, error: {} },
        { id: 2, error: {} },
      ]);
      expect(heard).toEqual([]);
      expect(node.refused).toEqual([method, method]);
    },
  );

  it('cuts off where the node does not answer, or the request is no JSON', async () => {
    upstream.closeAllConnections();
    await new Promise((resolve) => upstream.close(resolve));
    await expect(connectNode(node.url).ask('getSlot')).rejects.toThrow(/does not answer getSlot/);
    await expect(fetch(node.url, { method: 'POST', body: 'no JSON' })).rejects.toThrow();
  });
});
