import type { ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LocalnetNode } from '@lending/localnet';
import {
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  getTransactionDecoder,
} from '@solana/kit';
import { type Served, serve } from '../cluster/serve.ts';

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
export interface BentNode extends Served {
  /** Whether the node simulated this transaction, whatever its blockhash, and found that it lands. */
  hasSimulated(transaction: string): boolean;
  bend(how: Bend | null): void;
}

interface Reply {
  readonly result?: unknown;
}

export async function openBentNode(node: LocalnetNode): Promise<BentNode> {
  let bend: Bend | null = null;
  const landing = new Set<string>();
  const first = new Map<string, unknown>();

  async function answer(body: string, response: ServerResponse): Promise<void> {
    const how = bend;
    if (how?.kind === 'slow') await sleep(how.delayMs);
    // The caller hung up: the chain need not work for it.
    if (response.destroyed) return;
    if (how?.kind === 'body') return end(response, 200, how.text, { 'content-type': how.type });
    if (how?.kind === 'status') return end(response, how.status, 'wrong', how.headers);
    const truth = await ask(how?.kind === 'other' ? how.node : node, body);
    if (how?.kind !== 'other') for (const transaction of landingIn(body, truth)) landing.add(transaction);
    if (how?.kind === 'truncated') {
      response.writeHead(200, { ...JSON_TYPE, 'content-length': Buffer.byteLength(truth) });
      response.write(truth.slice(0, truth.length / 2), () => response.destroy());
      return;
    }
    end(response, 200, bendText(how, body, truth), JSON_TYPE);
  }

  function bendText(how: Bend | null, body: string, truth: string): string {
    if (how?.kind !== 'error' && how?.kind !== 'result' && how?.kind !== 'repeated') return truth;
    const { id, method, params } = JSON.parse(body) as { id: unknown; method: string; params: unknown };
    if (how.kind === 'error') {
      const { code, message, data } = how;
      return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } });
    }
    const { result } = JSON.parse(truth) as Reply;
    if (result === undefined) return truth;
    if (how.kind === 'result') return JSON.stringify({ jsonrpc: '2.0', id, result: how.of(result, method) });
    // The slot that an answer has to be of changes with every request.
    const key = `${method} ${JSON.stringify(params).replace(/"minContextSlot":\d+/, '')}`;
    if (!first.has(key)) first.set(key, result);
    return JSON.stringify({ jsonrpc: '2.0', id, result: how.of(first.get(key), result, method) });
  }

  const served = await serve((request, response) => {
    text(request)
      .then((body) => answer(body, response))
      .catch(() => response.destroy());
  });
  return {
    ...served,
    hasSimulated: (transaction) => landing.has(withoutBlockhash(transaction)),
    bend(how) {
      first.clear();
      bend = how;
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
  body: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, headers).end(body);
}

/** The transactions of a request that the node answered without an error of theirs. */
function landingIn(request: string, answer: string): readonly string[] {
  if (!request.includes('"simulate')) return [];
  const { method, params } = JSON.parse(request) as { method: string; params: readonly unknown[] };
  const { result } = JSON.parse(answer) as { result?: { value?: { err?: unknown; summary?: unknown } } };
  if (method === 'simulateTransaction' && result?.value?.err === null) return [withoutBlockhash(params[0])];
  if (method !== 'simulateBundle' || result?.value?.summary !== 'succeeded') return [];
  return (params[0] as { encodedTransactions: readonly string[] }).encodedTransactions.map(withoutBlockhash);
}

const NO_BLOCKHASH = '11111111111111111111111111111111';

function withoutBlockhash(transaction: unknown): string {
  const { messageBytes } = getTransactionDecoder().decode(getBase64Encoder().encode(String(transaction)));
  const message = getCompiledTransactionMessageDecoder().decode(messageBytes);
  const bytes = getCompiledTransactionMessageEncoder().encode({ ...message, lifetimeToken: NO_BLOCKHASH });
  return Buffer.from(bytes).toString('base64');
}
