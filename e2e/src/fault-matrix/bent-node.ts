import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LocalnetNode } from '@lending/localnet';
import { createSimulated, type Simulated } from './simulated.ts';

/** How a node answers wrong. */
export type Bend =
  /** 200 with this body. */
  | { readonly kind: 'body'; readonly type: string; readonly text: string }
  | { readonly kind: 'status'; readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  /** Half of the answer, and the connection ends. */
  | { readonly kind: 'truncated' }
  | { readonly kind: 'error'; readonly code: number; readonly message: string; readonly data?: unknown }
  | { readonly kind: 'slow'; readonly delayMs: number }
  /** The answer with another result. */
  | { readonly kind: 'result'; readonly of: (result: unknown, method: string) => unknown }
  /** To each request the first answer that it was given since, with the words of `of`. */
  | { readonly kind: 'repeated'; readonly of: (first: unknown, now: unknown, method: string) => unknown }
  /** What another node answers. */
  | { readonly kind: 'other'; readonly node: LocalnetNode };

/** A node of the chain over HTTP that answers wrong when told to, and remembers what it truly simulated. */
export interface BentNode {
  readonly port: number;
  readonly simulated: Simulated;
  bend(how: Bend | null): void;
  close(): Promise<void>;
}

interface Reply {
  readonly result?: unknown;
}

export async function openBentNode(node: LocalnetNode): Promise<BentNode> {
  let bend: Bend | null = null;
  const simulated = createSimulated();
  const first = new Map<string, unknown>();

  async function answer(body: string, response: ServerResponse): Promise<void> {
    const how = bend;
    if (how?.kind === 'slow') await sleep(how.delayMs);
    // The caller hung up: the chain need not work for it.
    if (response.destroyed) return;
    if (how?.kind === 'body') return end(response, 200, how.text, { 'content-type': how.type });
    if (how?.kind === 'status') return end(response, how.status, 'wrong', how.headers);
    const text = await ask(how?.kind === 'other' ? how.node : node, body);
    if (how?.kind !== 'other') simulated.note(body, text);
    if (how?.kind === 'truncated') {
      response.writeHead(200, { ...JSON_TYPE, 'content-length': Buffer.byteLength(text) });
      response.write(text.slice(0, text.length / 2), () => response.destroy());
      return;
    }
    end(response, 200, bendText(how, body, text), JSON_TYPE);
  }

  function bendText(how: Bend | null, body: string, text: string): string {
    if (how?.kind !== 'error' && how?.kind !== 'result' && how?.kind !== 'repeated') return text;
    const { id, method, params } = JSON.parse(body) as { id: unknown; method: string; params: unknown };
    if (how.kind === 'error') {
      const { code, message, data } = how;
      return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } });
    }
    const { result } = JSON.parse(text) as Reply;
    if (result === undefined) return text;
    if (how.kind === 'result') return JSON.stringify({ jsonrpc: '2.0', id, result: how.of(result, method) });
    // The slot that an answer has to be of changes with every request.
    const key = `${method} ${JSON.stringify(params).replace(/"minContextSlot":\d+/, '')}`;
    if (!first.has(key)) first.set(key, result);
    return JSON.stringify({ jsonrpc: '2.0', id, result: how.of(first.get(key), result, method) });
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        answer(Buffer.concat(chunks).toString(), response).catch(() => response.destroy());
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    simulated,
    bend(how) {
      first.clear();
      bend = how;
    },
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

const JSON_TYPE = { 'content-type': 'application/json' } as const;

async function ask(node: LocalnetNode, body: string): Promise<string> {
  const response = await fetch(node.rpcUrl, { method: 'POST', headers: JSON_TYPE, body });
  return response.text();
}

function end(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, headers);
  response.end(text);
}
