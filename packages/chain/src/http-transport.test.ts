import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { createNodeTransport } from './http-transport.ts';

const ANSWER = '{"jsonrpc":"2.0","id":"1","result":{"slot":18446744073709551615}}';
const PAYLOAD = { jsonrpc: '2.0', id: '1', method: 'getThing', params: [12345678901234567890n] };
const closing: (() => void)[] = [];

async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function ask(url: string, signal?: AbortSignal): Promise<unknown> {
  return createNodeTransport(url)({ payload: PAYLOAD, ...(signal !== undefined && { signal }) });
}

describe('createNodeTransport', () => {
  afterEach(() => {
    for (const close of closing.splice(0)) close();
  });

  it('sends whole numbers as they are and reads them so', async () => {
    let asked = '';
    const url = await listen((request, response) => {
      request.on('data', (chunk) => {
        asked += chunk;
      });
      request.on('end', () => response.end(ANSWER));
    });
    expect(await ask(url)).toMatchObject({ result: { slot: 18446744073709551615n } });
    expect(asked).toContain('[12345678901234567890]');
  });

  it.each([
    ['gzip', gzipSync(ANSWER)],
    ['br', brotliCompressSync(ANSWER)],
  ])('asks for and unpacks %s', async (encoding, packed) => {
    let accepted: string | undefined;
    const url = await listen((request, response) => {
      accepted = request.headers['accept-encoding'];
      response.setHeader('content-encoding', encoding).end(packed);
    });
    expect(await ask(url)).toMatchObject({ id: '1' });
    expect(accepted).toContain(encoding);
  });

  it('goes nowhere that an answer sends it', async () => {
    let askedElsewhere = 0;
    const elsewhere = await listen((_request, response) => {
      askedElsewhere += 1;
      response.end(ANSWER);
    });
    const url = await listen((_request, response) => response.writeHead(307, { location: elsewhere }).end());
    await expect(ask(url)).rejects.toMatchObject({ context: { statusCode: 307 } });
    expect(askedElsewhere).toBe(0);
  });

  it('ends with the reason of its signal, before an answer and amid one', async () => {
    const url = await listen((_request, response) => response.writeHead(200).write('{"json'));
    const silent = await listen(() => undefined);
    for (const host of [url, silent]) {
      await expect(ask(host, AbortSignal.timeout(100))).rejects.toMatchObject({ name: 'TimeoutError' });
    }
  });

  it('fails where an answer breaks off', async () => {
    const url = await listen((_request, response) => {
      response.writeHead(200, { 'content-length': ANSWER.length }).write('{"json');
      setTimeout(() => response.destroy(), 20);
    });
    await expect(ask(url)).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it('asks on one connection again, also after a refusal', async () => {
    const sockets = new Set<unknown>();
    let count = 0;
    const url = await listen((request, response) => {
      sockets.add(request.socket);
      count += 1;
      if (count === 1) response.writeHead(503).end('x'.repeat(1_000));
      else response.end(ANSWER);
    });
    await expect(ask(url)).rejects.toMatchObject({ context: { statusCode: 503 } });
    // The connection is free once the refusal has been read to its end.
    await new Promise((resolve) => setTimeout(resolve, 50));
    await ask(url);
    await ask(url);
    expect(sockets.size).toBe(1);
  });
});
