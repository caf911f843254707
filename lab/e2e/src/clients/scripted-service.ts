import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type Served, serve } from '../cluster/serve.ts';

interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

type Script = (asked: Seen, times: number, response: ServerResponse) => void;

const BLOCKHASH = { value: 'GfVcyD4kkTrj4bKc7WA9sZCin9JDbdT4Zkd3EittNR1W', last_valid_block_height: 1_000 };

function sendJson(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
  response.end(JSON.stringify(body));
}

function refuse(response: ServerResponse, status: number, code: string, retryAfter: number): void {
  const body = { error: 'Wait', code, details: { scope: 'v1' }, retryable: true, retry_after_s: retryAfter, docs: '' };
  sendJson(response, status, body, { 'retry-after': String(retryAfter), 'x-request-id': 'scripted-1' });
}

/** `count` transactions, whose bytes say which they are. */
function envelope(count: number, submit: 'sequential' | 'bundle', changes: object = {}) {
  const transactions = Array.from({ length: count }, (_, index) => ({
    base64: Buffer.from(`transaction ${index + 1}`).toString('base64'),
    type: index === count - 1 ? 'DEPOSIT' : 'CRANK',
    label: `Step ${index + 1}`,
  }));
  return {
    account: 'Config1111111111111111111111111111111111111',
    transactions,
    action_tx_index: count - 1,
    submit,
    blockhash: { ...BLOCKHASH, expires_in_seconds: 60 },
    simulation: { success: true, post_health: { status: 'healthy', health_factor: 1 }, warnings: [] },
    summary: 'Says "submit":"bundle" and "base64":null, and is only words.',
    plan_id: '6f9619ff-8b86-4d01-b42d-00cf4fc964ff',
    ...changes,
  };
}

const BANKS = ['one', 'two', 'three', 'four', 'five'].map((address) => ({ address }));
const PAGES: Readonly<Record<string, { readonly banks: readonly object[]; readonly next_cursor: string | null }>> = {
  '': { banks: BANKS.slice(0, 2), next_cursor: 'a+b/c=&d' },
  'a+b/c=&d': { banks: BANKS.slice(2, 4), next_cursor: 'zwei Ä' },
  'zwei Ä': { banks: BANKS.slice(4), next_cursor: null },
};

const SCRIPTS: Readonly<Record<string, Script>> = {
  busy: (_asked, times, response) =>
    times <= 2 ? refuse(response, 429, 'RATE_LIMITED', 1) : sendJson(response, 200, { ready: true }),
  'very-busy': (_asked, _times, response) => refuse(response, 429, 'RATE_LIMITED', 3_600),
  'always-busy': (_asked, _times, response) => refuse(response, 429, 'RATE_LIMITED', 1),
  away: (_asked, times, response) =>
    times === 1 ? refuse(response, 503, 'UPSTREAM_UNAVAILABLE', 1) : sendJson(response, 200, { ready: true }),
  silent: () => {},
  dripping: (_asked, _times, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const timer = setInterval(() => response.write(' '), 100);
    response.on('close', () => clearInterval(timer));
  },
  proxy: (_asked, _times, response) => {
    response.writeHead(502, { 'content-type': 'text/html' });
    response.end('<html>words of nobody knows whom</html>');
  },
  garbled: (_asked, _times, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end('no JSON at all');
  },
  cut: (_asked, _times, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write('{"ready":');
    setTimeout(() => response.destroy(), 50);
  },
  pages: ({ path }, _times, response) => {
    const query = new URLSearchParams(path.split('?')[1] ?? '');
    const page = query.get('limit') === '2' ? PAGES[query.get('cursor') ?? ''] : undefined;
    if (page === undefined) sendJson(response, 400, { error: path, code: 'INVALID_ARGUMENT', details: {} });
    else sendJson(response, 200, page);
  },
  stuck: (_asked, _times, response) => sendJson(response, 200, { banks: BANKS, next_cursor: 'again' }),
  moved: (_asked, _times, response) => {
    response.writeHead(302, { location: '/elsewhere/v1/status' });
    response.end();
  },
  elsewhere: (_asked, _times, response) => sendJson(response, 200, { ready: true }),
  echo: ({ method, path }, _times, response) => {
    if (path.startsWith('/v1/tx/')) sendJson(response, 200, envelope(1, 'sequential'));
    else sendJson(response, method === 'POST' ? 201 : 200, {});
  },
  unmade: (_asked, _times, response) => refuse(response, 503, 'UPSTREAM_UNAVAILABLE', 1),
  home: (_asked, _times, response) => sendJson(response, 200, { ready: true }),
  apart: (_asked, _times, response) => sendJson(response, 200, { data: [], has_more: false, next_cursor: null }),
  slow: (_asked, _times, response) => {
    setTimeout(() => sendJson(response, 200, { ready: true }), 5_000);
  },
  sequence: (_asked, _times, response) => sendJson(response, 200, envelope(3, 'sequential')),
  bundle: (_asked, _times, response) => sendJson(response, 200, envelope(3, 'bundle')),
  expiring: (_asked, _times, response) =>
    sendJson(response, 200, envelope(2, 'sequential', { blockhash: { ...BLOCKHASH, expires_in_seconds: 2 } })),
  preview: (_asked, _times, response) => {
    const made = envelope(1, 'sequential');
    const transactions = made.transactions.map((transaction) => ({ ...transaction, base64: null }));
    sendJson(response, 200, { ...made, transactions });
  },
  nonsense: (_asked, _times, response) => sendJson(response, 200, envelope(1, 'sequential', { submit: 'both' })),
};

/**
 * A service that behaves as the real one seldom does, for the test programs of the clients. Each script stands below a path of its own,
 * which a client takes for its base URL; `/seen/<script>` tells what was asked of it.
 */
export function startScriptedService(): Promise<Served> {
  const seen = new Map<string, Seen[]>();
  return serve(async (request, response) => {
    const [, name = '', ...rest] = (request.url ?? '').split('/');
    const body = await text(request);
    if (name === 'seen') return sendJson(response, 200, { requests: seen.get(rest.join('/')) ?? [] });
    const script = SCRIPTS[name];
    if (script === undefined) return sendJson(response, 404, { error: `no script ${name}`, code: 'NOT_FOUND' });
    const { method = '', headers } = request;
    const asked = { method, path: `/${rest.join('/')}`, headers, body };
    const all = [...(seen.get(name) ?? []), asked];
    seen.set(name, all);
    return script(asked, all.length, response);
  });
}
