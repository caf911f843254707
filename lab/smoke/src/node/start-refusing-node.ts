import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';

/** The node as the service sees it: all that changes a chain is refused, whoever asks. */
export interface RefusingNode {
  readonly url: string;
  /** Methods that were refused, one by one. */
  readonly refused: readonly string[];
  /** How often each method was asked. */
  readonly asked: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

/** `sendTransaction`, `sendBundle` and their like, and what makes SOL of nothing on test chains. */
const CHANGES_A_CHAIN = /^(send|requestAirdrop)/i;
const METHOD_NOT_FOUND = -32_601;

interface Call {
  readonly id?: unknown;
  readonly method?: unknown;
}

/** Stands between the service and the node at `target`, and passes on what only asks. */
export async function startRefusingNode(target: string): Promise<RefusingNode> {
  const refused: string[] = [];
  const asked = new Map<string, number>();

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const given = JSON.parse(body) as Call | readonly Call[];
    const calls = Array.isArray(given) ? (given as readonly Call[]) : [given as Call];
    const methods = calls.map(({ method }) => String(method));
    for (const method of methods) asked.set(method, (asked.get(method) ?? 0) + 1);
    const changes = methods.filter((method) => CHANGES_A_CHAIN.test(method));
    if (changes.length > 0) {
      refused.push(...changes);
      const errors = calls.map(({ id = null }) => ({
        jsonrpc: '2.0',
        id,
        error: { code: METHOD_NOT_FOUND, message: 'Nothing is sent in a smoke test' },
      }));
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(Array.isArray(given) ? errors : errors[0]));
      return;
    }
    const left = new AbortController();
    response.once('close', () => left.abort());
    const answer = await fetch(target, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      signal: left.signal,
    });
    const wait = answer.headers.get('retry-after');
    response.writeHead(answer.status, {
      'content-type': answer.headers.get('content-type') ?? 'application/json',
      ...(wait !== null && { 'retry-after': wait }),
    });
    if (answer.body === null) response.end();
    else await pipeline(Readable.from(answer.body), response);
  }

  const server = createServer((request, response) => {
    // As an unreachable node does, so that the service says what it says of one.
    pass(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refused,
    asked,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
