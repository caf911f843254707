import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

/** What was asked and answered while versions changed. */
export interface Used {
  readonly reads: number;
  /** Whatever was not answered 200, in order. */
  readonly failures: readonly string[];
  /** Idempotency key → the plan that was answered for it. */
  readonly plans: ReadonlyMap<string, string>;
  /** Calls that were answered to somebody with a token, in his conversation. */
  readonly recorded: number;
}

export interface ConstantUse {
  /** From here on these are asked, in turn. Resolves when nothing is under way at any other. */
  ask(urls: readonly string[]): Promise<void>;
  /** Resolves when so many more of everything were answered: reads, plans, and calls with a token. */
  untilAnswered(more: Readonly<Record<'reads' | 'plans' | 'recorded', number>>): Promise<void>;
  stop(): Promise<Used>;
}

export interface ConstantUseOptions {
  readonly wallets: readonly string[];
  readonly bank: string;
  readonly token: string;
  readonly conversation: string;
}

/** How many ask at once; each waits for its answer and asks again. */
const CALLERS = 6;
const PAUSE_MS = 20;

/** Asks reads, calls with a token, and builders under a key of their own, again and again, and never a second time. */
export function startConstantUse(firstUrls: readonly string[], options: ConstantUseOptions): ConstantUse {
  const { wallets, bank, token, conversation } = options;
  let urls = firstUrls;
  let isStopped = false;
  let asked = 0;
  let reads = 0;
  let recorded = 0;
  const failures: string[] = [];
  const plans = new Map<string, string>();
  const underWay = new Map<string, number>();

  async function request(path: string, init: RequestInit = {}): Promise<Record<string, unknown> | null> {
    asked += 1;
    const url = urls[asked % urls.length] ?? '';
    underWay.set(url, (underWay.get(url) ?? 0) + 1);
    try {
      const response = await fetch(url + path, { ...init, signal: AbortSignal.timeout(180_000) });
      const text = await response.text();
      if (response.status === 200) return JSON.parse(contentOf(text)) as Record<string, unknown>;
      failures.push(`${path} at ${url}: ${response.status} ${text.slice(0, 300)}`);
    } catch (error) {
      failures.push(`${path} at ${url}: ${error instanceof Error ? `${error.message}, ${error.cause}` : error}`);
    } finally {
      underWay.set(url, (underWay.get(url) ?? 1) - 1);
    }
    return null;
  }

  async function read(path: string): Promise<void> {
    if ((await request(path)) !== null) reads += 1;
  }

  async function readOverMcp(): Promise<void> {
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'svc_get_banks', arguments: {} } };
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const reply = await request('/mcp', { method: 'POST', headers, body: JSON.stringify(call) });
    if (reply?.error !== undefined) failures.push(`/mcp: ${JSON.stringify(reply.error)}`);
    if (reply !== null) reads += 1;
  }

  async function readWithToken(): Promise<void> {
    const headers = { authorization: `Bearer ${token}`, 'x-conversation-id': conversation };
    if ((await request('/v1/banks?limit=1', { headers })) !== null) recorded += 1;
  }

  async function build(wallet: string): Promise<void> {
    const key = randomUUID();
    const plan = await request('/v1/tx/create-account', postOf(wallet, key));
    if (plan !== null) plans.set(key, String(plan.plan_id));
  }

  async function askOn(caller: number): Promise<void> {
    const wallet = wallets[caller % wallets.length] ?? '';
    const questions = [
      () => read('/v1/banks'),
      () => read(`/v1/account/${wallet}`),
      () => read(`/v1/banks/${bank}/history?interval=1m`),
      () => read(`/v1/activity/${wallet}`),
      () => read('/v1/strategies?limit=3'),
      readOverMcp,
      readWithToken,
      () => build(wallet),
    ];
    for (let turn = caller; !isStopped; turn += 1) {
      await questions[turn % questions.length]?.();
      await sleep(PAUSE_MS);
    }
  }

  const asking = Promise.all(Array.from({ length: CALLERS }, (_, caller) => askOn(caller)));
  return {
    async ask(next) {
      urls = next;
      const others = () => [...underWay].filter(([url, count]) => count > 0 && !urls.includes(url));
      while (others().length > 0) await sleep(PAUSE_MS);
    },
    async untilAnswered(more) {
      const from = { reads, plans: plans.size, recorded };
      const isLacking = () =>
        reads - from.reads < more.reads ||
        plans.size - from.plans < more.plans ||
        recorded - from.recorded < more.recorded;
      while (isLacking() && failures.length === 0) await sleep(PAUSE_MS);
    },
    async stop() {
      isStopped = true;
      await asking;
      return { reads, failures, plans, recorded };
    },
  };
}

/** MCP answers with an event or with JSON, as it likes. */
function contentOf(text: string): string {
  return /^data: (.*)$/m.exec(text)?.[1] ?? text;
}

/** A builder's request that is answered with one and the same plan however often it is made. */
export function postOf(authority: string, key: string): RequestInit {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ authority, idempotency_key: key }),
  };
}
