import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { inSpan } from '@lending/tracing';
import { recordSpans } from '@lending/tracing/testing';
import { expect, it } from 'vitest';
import { createChain } from './chain.ts';

it('a request that is traced is a part of what asked, by method and host, and tells the node nothing of it', async () => {
  const heads: (readonly string[])[] = [];
  let isBusy = false;
  const node = createServer(async (request, response) => {
    const { id, method } = JSON.parse(await text(request)) as { id: string; method: string };
    // Whatever else is asked, such as which cluster it is of, is answered.
    if (method !== 'getSlot') return void response.end(JSON.stringify({ jsonrpc: '2.0', id, result: null }));
    heads.push(request.rawHeaders);
    if (isBusy) response.writeHead(503).end();
    else response.end(JSON.stringify({ jsonrpc: '2.0', id, result: 7 }));
    isBusy = false;
  });
  await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(node.address() as AddressInfo).port}`;
  const recorded = recordSpans();
  try {
    const chain = createChain({ rpcUrls: [`http://${host}/secret-path?api-key=secret`], minBackoffMs: 1 });
    await chain.fetchSlot();
    expect(recorded.get()).toEqual([]);
    isBusy = true;
    const top = await inSpan('test', { name: 'top' }, async (span) => {
      await chain.fetchSlot();
      return span.spanContext();
    });
    const [span] = recorded.get();
    expect(span).toMatchObject({
      name: 'getSlot',
      parentSpanContext: { spanId: top.spanId },
      attributes: { 'rpc.system.name': 'jsonrpc', 'rpc.method': 'getSlot', 'server.address': host },
      events: [{ name: 'attempt.fail', attributes: { 'server.address': host } }],
    });
    expect(JSON.stringify([span?.attributes, span?.events])).not.toContain('secret');
    // Untraced, failed, answered: the same heads.
    expect(heads).toHaveLength(3);
    const names = heads.map((head) => head.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase()));
    expect(new Set(names.map(String)).size).toBe(1);
    expect(JSON.stringify(heads)).not.toMatch(/trace|baggage/i);
  } finally {
    recorded.stop();
    node.closeAllConnections();
    await new Promise((resolve) => node.close(resolve));
  }
});
