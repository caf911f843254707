import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLogger } from '@lending/runtime';
import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { BuildAction } from '../builds/build-service.ts';
import { accountRow, WALLET } from '../testing/account-rows.ts';
import { SOL_BANK } from '../testing/bank-row.ts';
import { buildOf, createFakePlans, type FakeBuilders, PROGRAM } from '../testing/fake-builds.ts';
import { createAccountsApp } from '../testing/test-app.ts';
import { wireTransaction } from '../testing/wire-transaction.ts';

const PATIENCE = { timeout: 120_000, interval: 10 };

const DEPOSIT = { authority: WALLET, bank: SOL_BANK, amount: 1.5 };

let app: FastifyInstance;
afterEach(() => app.close());

async function listen(builders: FakeBuilders): Promise<string> {
  app = await createAccountsApp({ accounts: [accountRow()], builders });
  return app.listen({ host: '127.0.0.1', port: 0 });
}

function post(url: string, body: object, signal?: AbortSignal): Promise<Response> {
  return fetch(`${url}/v1/tx/deposit`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  });
}

/** Read to its end: a connection with an answer on it is not closed. */
async function answerOf(asked: Promise<Response>): Promise<number> {
  const answer = await asked;
  await answer.text();
  return answer.status;
}

/** Builds wait until their test lets them go on, or their signal ends them. */
function waitingBuilds() {
  const begun: AbortSignal[] = [];
  const { promise: go, resolve: letGo } = Promise.withResolvers<void>();
  const buildAction: BuildAction = async (request, { signal }) => {
    begun.push(signal);
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
    });
    await Promise.race([go, aborted]);
    return buildOf(request);
  };
  return { begun, letGo, buildAction };
}

describe('a build whose caller hangs up', () => {
  it('is ended, asks nobody any more, and leaves no plan', async () => {
    const node = { isClosed: false, isAsked: false };
    const server = createServer((request) => {
      node.isAsked = true;
      request.once('close', () => {
        node.isClosed = true;
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const nodeUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const plans = createFakePlans();
    const url = await listen({
      plans,
      async buildAction(request, { signal }) {
        await fetch(nodeUrl, { signal });
        return buildOf(request);
      },
    });
    const caller = new AbortController();
    const asked = post(url, DEPOSIT, caller.signal);
    await vi.waitFor(() => expect(node.isAsked).toBe(true), PATIENCE);
    caller.abort();
    await expect(asked).rejects.toThrow();
    await vi.waitFor(() => expect(node.isClosed).toBe(true), PATIENCE);
    expect(plans.rows.size).toBe(0);
    server.closeAllConnections();
    server.close();
  });

  it('gives its key and its place to who comes next', async () => {
    const { begun, letGo, buildAction } = waitingBuilds();
    const url = await listen({ buildAction, places: { most: 1, mostPerClient: 1 } });
    const caller = new AbortController();
    const body = { ...DEPOSIT, idempotency_key: 'one' };
    const first = post(url, body, caller.signal);
    await vi.waitFor(() => expect(begun).toHaveLength(1), PATIENCE);
    const second = post(url, body);
    caller.abort();
    await expect(first).rejects.toThrow();
    await vi.waitFor(() => expect(begun).toHaveLength(2), PATIENCE);
    expect(begun[0]?.aborted).toBe(true);
    letGo();
    expect(await answerOf(second)).toBe(200);
  });
});

describe('a simulation whose caller hangs up', () => {
  it('is ended, and is no failure of ours in the log', async () => {
    const lines: string[] = [];
    const { promise: begun, resolve: begin } = Promise.withResolvers<AbortSignal>();
    app = await createAccountsApp({
      accounts: [accountRow()],
      logger: createLogger({ level: 'debug', name: 'test', destination: { write: (line) => void lines.push(line) } }),
      builders: {
        simulator: {
          simulate: (_transactions, _watch, options = {}) =>
            new Promise((_, reject) => {
              const { signal = AbortSignal.abort() } = options;
              signal.addEventListener('abort', () => reject(signal.reason));
              begin(signal);
            }),
        },
      },
    });
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    const caller = new AbortController();
    const asked = fetch(`${url}/v1/tx/simulate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ transactions: [wireTransaction(PROGRAM)] }),
      signal: caller.signal,
    });
    const signal = await begun;
    caller.abort();
    await expect(asked).rejects.toThrow();
    await vi.waitFor(() => expect(signal.aborted).toBe(true), PATIENCE);
    await new Promise((resolve) => setImmediate(resolve));
    expect(lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });
});

describe('more builds than there are places for', () => {
  it('are refused with 503 and when to come back, before anybody is asked', async () => {
    const { begun, letGo, buildAction } = waitingBuilds();
    const url = await listen({ buildAction, places: { most: 1, mostPerClient: 1 } });
    const first = post(url, DEPOSIT);
    await vi.waitFor(() => expect(begun).toHaveLength(1), PATIENCE);
    const second = post(url, DEPOSIT);
    // The second waits once the third is refused.
    await vi.waitFor(async () => {
      const refused = await post(url, DEPOSIT, AbortSignal.timeout(1_000));
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '3']);
      expect(await refused.json()).toMatchObject({
        code: 'UPSTREAM_UNAVAILABLE',
        retryable: true,
        retry_after_s: 3,
      });
    }, PATIENCE);
    expect(begun).toHaveLength(1);
    letGo();
    expect([await answerOf(first), await answerOf(second)]).toEqual([200, 200]);
  });
});
