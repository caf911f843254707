import { randomUUID } from 'node:crypto';
import type { Asker } from '../cluster/traffic.ts';

export interface AskersOptions {
  /** Where is asked at the moment: at these in turn. */
  readonly urls: () => readonly string[];
  readonly wallets: readonly string[];
  readonly bank: string;
  readonly token: string;
  readonly conversation: string;
  /** Idempotency key → the plan that was answered for it. */
  readonly plans: Map<string, string>;
}

/** Name of the one whose calls are entries of his conversation, and of the one who has something built. */
export const [RECORDED, BUILT] = ['with a token', 'build'];

/** Reads, calls with a token, and builders under a key of their own, none of which is made a second time. */
export function askersOf({ urls, wallets, bank, token, conversation, plans }: AskersOptions): readonly Asker[] {
  let asked = 0;
  const nextWallet = () => wallets[asked % wallets.length] ?? '';

  async function request(path: string, init: RequestInit = {}): Promise<Record<string, unknown>> {
    asked += 1;
    const at = urls();
    const url = `${at[asked % at.length]}${path}`;
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(180_000) });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${url}: ${response.status} ${text.slice(0, 300)}`);
    // MCP answers with an event or with JSON, as it likes.
    return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text) as Record<string, unknown>;
  }

  const read = (path: () => string): Asker => ({
    name: `read ${path()}`,
    ask: async () => void (await request(path())),
  });
  return [
    read(() => '/v1/banks'),
    read(() => `/v1/account/${nextWallet()}`),
    read(() => `/v1/banks/${bank}/history?interval=1m`),
    read(() => `/v1/activity/${nextWallet()}`),
    read(() => '/v1/strategies?limit=3'),
    {
      name: 'read over MCP',
      async ask() {
        const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'svc_get_banks', arguments: {} } };
        const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
        const { error } = await request('/mcp', { method: 'POST', headers, body: JSON.stringify(call) });
        if (error !== undefined) throw new Error(JSON.stringify(error));
      },
    },
    {
      name: RECORDED,
      async ask() {
        const headers = { authorization: `Bearer ${token}`, 'x-conversation-id': conversation };
        await request('/v1/banks?limit=1', { headers });
      },
    },
    {
      name: BUILT,
      async ask() {
        const key = randomUUID();
        const plan = await request('/v1/tx/create-account', postOf(nextWallet(), key));
        plans.set(key, String(plan.plan_id));
      },
    },
  ];
}

/** A builder's request that is answered with one and the same plan however often it is made. */
export function postOf(authority: string, key: string): RequestInit {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ authority, idempotency_key: key }),
  };
}
