import { useDatabase } from '@lending/store/testing';
import type { Link } from '@lending/testing';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ApiHere } from '../src/cluster/in-process.ts';
import { openLinkTo, throughLink } from '../src/cluster/links.ts';
import { useOpened } from '../src/cluster/opened.ts';
import { askFrom, messageFrom, messageOf, type Reply, startLimitedApi } from '../src/limits/ask-from.ts';
import { query } from '../src/tables/query.ts';

/** As the specification sets them; no setting changes them here. */
const LIMITS = { mcp: 120, v1: 60, tx: 10, leverage: 4 } as const;
const WINDOW_S = 60;

const database = useDatabase();
const opened = useOpened();
let wire: Link;
let first: ApiHere;
let second: ApiHere;

let clients = 0;
/** Nobody has asked from it yet. */
function newClient(): string {
  clients += 1;
  return `127.0.1.${clients}`;
}

/** Stops the clock by which both instances count, and says what it shows, ms. */
function stopClocks(): number {
  const nowMs = performance.now();
  setClocks(nowMs);
  return nowMs;
}

function setClocks(nowMs: number): void {
  vi.spyOn(performance, 'now').mockReturnValue(nowMs);
}

const isAccepted = ({ status }: Reply) => status !== 429;

/** Asks as often of each, all at once; answers what was accepted and what was refused. */
async function askBoth(client: string, times: number, path = '/v1/nothing') {
  const replies = await Promise.all(
    Array.from({ length: times }, () => [
      askFrom(client, first.url, { path }),
      askFrom(client, second.url, { path }),
    ]).flat(),
  );
  return { accepted: replies.filter(isAccepted), refused: replies.filter((reply) => !isAccepted(reply)) };
}

async function acceptedOf(client: string, times: number, question: Parameters<typeof askFrom>[2]): Promise<number> {
  let accepted = 0;
  for (let nth = 0; nth < times; nth += 1) {
    if (isAccepted(await askFrom(client, (nth % 2 === 0 ? first : second).url, question))) accepted += 1;
  }
  return accepted;
}

const post = (path: string) => ({ method: 'POST', path, body: {} });
const call = (name: string) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } });
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

describe('the limits of the specification, at two instances over one database', () => {
  beforeAll(async () => {
    const { connectionString } = database;
    wire = opened.keep(await openLinkTo(connectionString));
    first = opened.keep(await startLimitedApi(throughLink(connectionString, wire)));
    second = opened.keep(await startLimitedApi(connectionString));
  });

  afterEach(() => vi.restoreAllMocks());

  it('[rate-limits-shared] accepts as many together as one would, and refuses the others with the time to come again', async () => {
    const { accepted, refused } = await askBoth(newClient(), 100);
    expect(accepted).toHaveLength(LIMITS.v1);
    for (const { headers, text } of refused) {
      const waitS = Number(headers['retry-after']);
      expect(Number.isInteger(waitS) && waitS >= 1 && waitS <= WINDOW_S, `${headers['retry-after']}`).toBe(true);
      expect(headers['ratelimit-policy']).toBe('"v1";q=60;w=60');
      expect(headers.ratelimit).toMatch(/^"v1";r=0;t=\d+$/);
      expect(JSON.parse(text)).toMatchObject({
        code: 'RATE_LIMITED',
        details: { scope: 'v1', limit: LIMITS.v1, retry_after_s: waitS },
        retryable: true,
        retry_after_s: waitS,
      });
    }
    expect(await first.metrics.render()).toMatch(/api_rate_refuse_total\{scope="v1"\} [1-9]/);
  });

  it('[rate-limits-wait] accepts again after as long as it said, and not before', async () => {
    const stillMs = stopClocks();
    const client = newClient();
    const { refused } = await askBoth(client, 40);
    const waitS = Math.min(...refused.map(({ headers }) => Number(headers['retry-after'])));
    // Whoever asks on and on is not made to wait longer.
    for (let passedS = 0; passedS < waitS; passedS += 1) {
      setClocks(stillMs + passedS * 1_000);
      expect((await askBoth(client, 1)).accepted).toHaveLength(0);
    }
    setClocks(stillMs + waitS * 1_000);
    // What the database counts ends that much sooner, as if its clock had moved on, too.
    const rest = `array(select "end" - $1 * interval '1 s' from unnest(ends) as "end")`;
    await query(database, `update rate_window set ends = ${rest} where client = $2`, [waitS, client]);
    const { accepted } = await askBoth(client, 1);
    expect(accepted).not.toHaveLength(0);
  });

  it('[rate-limits-doors] counts builders in their own limit and in that of REST, and spends nothing of either when refused', async () => {
    const client = newClient();
    expect(await acceptedOf(client, LIMITS.tx + 5, post('/v1/tx/deposit'))).toBe(LIMITS.tx);
    expect(await acceptedOf(client, LIMITS.v1, { path: '/v1/banks' })).toBe(LIMITS.v1 - LIMITS.tx);
    expect(await acceptedOf(client, 3, post('/v1/tx/deposit'))).toBe(0);
  });

  it('[rate-limits-doors] counts loops and closes of both doors together', async () => {
    const client = newClient();
    expect(await acceptedOf(client, 2, post('/v1/tx/loop'))).toBe(2);
    for (const instance of [first, second]) {
      const reply = messageOf(await messageFrom(client, instance.url, call('svc_close_position')));
      expect(reply).toMatchObject({ result: { isError: true, structuredContent: { code: 'INVALID_ARGUMENT' } } });
    }
    const refused = await askFrom(client, first.url, post('/v1/tx/close-position'));
    expect([refused.status, JSON.parse(refused.text).details.scope]).toEqual([429, 'leverage']);
    const reply = await messageFrom(client, second.url, call('svc_loop'));
    expect(reply.status).toBe(200);
    expect(messageOf(reply)).toMatchObject({
      result: {
        isError: true,
        structuredContent: {
          code: 'RATE_LIMITED',
          details: { scope: 'leverage', limit: LIMITS.leverage, retry_after_s: expect.any(Number) },
        },
      },
    });
    // Other tools have nothing to do with it; REST lost the two that it took.
    expect(messageOf(await messageFrom(client, second.url, ping))).toMatchObject({ result: {} });
    expect(await acceptedOf(client, LIMITS.tx, post('/v1/tx/borrow'))).toBe(LIMITS.tx - 2);
  });

  it('[rate-limits-doors] counts every message of a batch to /mcp, all or none', async () => {
    const client = newClient();
    const batch = (length: number) => Array.from({ length }, (_, id) => ({ ...ping, id }));
    expect((await messageFrom(client, first.url, batch(100))).status).not.toBe(429);
    const tooMany = await messageFrom(client, second.url, batch(21));
    expect([tooMany.status, JSON.parse(tooMany.text)]).toMatchObject([
      429,
      { code: 'RATE_LIMITED', details: { scope: 'mcp', limit: LIMITS.mcp } },
    ]);
    expect(Number(tooMany.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    for (let nth = 0; nth < 20; nth += 1) {
      const { status, headers } = await messageFrom(client, nth % 2 === 0 ? first.url : second.url, ping);
      expect([status, headers['ratelimit-policy']]).toEqual([200, '"mcp";q=120;w=60']);
      expect(headers.ratelimit).toMatch(new RegExp(`^"mcp";r=${19 - nth};t=\\d+$`));
    }
    expect((await messageFrom(client, first.url, ping)).status).toBe(429);
    expect((await askFrom(client, first.url, { path: '/mcp' })).status).toBe(429);
    // The other door knows nothing of it.
    expect(await acceptedOf(client, 2, { path: '/v1/banks' })).toBe(2);
  });

  it('[rate-limits-doors] counts nothing of pages, docs, probes and GraphQL', async () => {
    const client = newClient();
    await askBoth(client, 40);
    for (const path of [
      '/',
      '/docs',
      '/v1/openapi.json',
      '/healthz',
      '/readyz',
      '/metrics',
      '/graphql?query={__typename}',
    ]) {
      expect([path, isAccepted(await askFrom(client, first.url, { path }))]).toEqual([path, true]);
    }
    const preflight = { origin: 'https://example.com', 'access-control-request-method': 'GET' };
    const { status } = await askFrom(client, first.url, { method: 'OPTIONS', path: '/v1/banks', headers: preflight });
    expect(status).not.toBe(429);
  });

  it('[rate-limits-database] limits by itself while the database is away, and together again afterwards', async () => {
    const [before, during, after] = [newClient(), newClient(), newClient()];
    expect(await acceptedOf(before, 10, { path: '/v1/nothing' })).toBe(10);
    wire.cut();
    const askFirst = async (client: string, times: number) => {
      const replies = await Promise.all(
        Array.from({ length: times }, () => askFrom(client, first.url, { path: '/v1/nothing' })),
      );
      return replies.filter(isAccepted).length;
    };
    // Five of the ten it had accepted itself, and all ten were told to it.
    expect(await askFirst(before, 100)).toBeGreaterThanOrEqual(LIMITS.v1 - 10);
    expect(await askFirst(during, 100)).toBe(LIMITS.v1);
    expect(await first.metrics.render()).toMatch(/api_rate_alone_total [1-9]/);
    wire.heal();
    // The database is not asked again at once.
    setClocks(stopClocks() + 1_100);
    expect(await askFirst(during, 10)).toBe(0);
    const { accepted } = await askBoth(after, 50);
    expect(accepted).toHaveLength(LIMITS.v1);
  });
});
