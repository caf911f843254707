import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLogger } from '@lending/runtime';
import { address } from '@solana/kit';
import { afterAll, describe, expect, it } from 'vitest';
import { createSwaps } from './builds/create-swaps.ts';
import { GENERATIONS } from './mcp/testing/mcp-clients.ts';
import { ACCOUNT, accountRow, OTHER_ACCOUNT, SOL_MINT, WALLET } from './testing/account-rows.ts';
import { SOL_BANK, USDC_BANK, USDC_MINT } from './testing/bank-row.ts';
import { createFakePlans } from './testing/fake-builds.ts';
import { createAccountsApp } from './testing/test-app.ts';

const OWN = 'own-key-of-the-service';
/** Others for every call: one that had too many requests is not used for a while. */
let calls = 0;
const newKeys = () => {
  calls += 1;
  return { one: `callers-key-one-${calls}`, two: `callers-key-two-${calls}` };
};
const LOOP = { authority: WALLET, deposit_bank: SOL_BANK, borrow_bank: USDC_BANK, amount: 1.5, leverage: 2 };

/** What a host of both aggregators was asked with; it gives every key away that it is told, in all the ways it has. */
const asked: { readonly path: string; readonly key: string }[] = [];
let refusal: (key: string) => { readonly status: number; readonly body: string };
const server: Server = createServer((request, response) => {
  const key = String(request.headers['x-api-key'] ?? '');
  asked.push({ path: new URL(request.url ?? '', 'http://host').pathname, key });
  const { status, body } = refusal(key);
  response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': key }).end(body);
});

const lines: string[] = [];
const plans = createFakePlans();

await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const logger = createLogger({
  level: 'trace',
  name: 'test',
  secrets: [OWN],
  destination: { write: (line: string) => void lines.push(line) },
});
const { swaps, swapBounds } = createSwaps(
  {
    JUPITER_URL: host,
    JUPITER_API_KEY: OWN,
    DFLOW_URL: host,
    DFLOW_API_KEY: OWN,
    SWAP_TIMEOUT_MS: 5_000,
    SWAP_SLIPPAGE_BPS: 50,
    SWAP_MAX_PRICE_IMPACT_BPS: 100,
    SWAP_MAX_ORACLE_DEVIATION_BPS: 300,
  },
  logger,
  Date.now,
);
const app = await createAccountsApp({
  accounts: [accountRow()],
  logger,
  builders: {
    plans,
    async buildAction(request, { aggregatorKeys, signal }) {
      await swaps.find({
        inMint: address(USDC_MINT),
        outMint: address(SOL_MINT),
        taker: request.authority,
        source: address(ACCOUNT),
        destination: address(OTHER_ACCOUNT),
        neededOut: 1_000n,
        inBase: 1_000n,
        maxInBase: null,
        slippageBps: swapBounds.slippageBps,
        maxPriceImpactE18: swapBounds.maxPriceImpactE18,
        maxDeviationE18: swapBounds.maxDeviationE18,
        fairOut: (base) => base,
        protectedAccounts: new Set(),
        lendingAccount: address(ACCOUNT),
        slot: 1n,
        accountsLeft: 40,
        fit: async () => ({ kind: 'fits', submit: 'sequential' }),
        pinned: null,
        keys: aggregatorKeys,
        signal,
      });
      throw new Error('a host that refuses everybody offered a swap');
    },
  },
});
await app.listen({ host: '127.0.0.1', port: 0 });
afterAll(async () => {
  await app.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const overRest = async (headers: Readonly<Record<string, string>>) => {
  const response = await app.inject({ method: 'POST', url: '/v1/tx/loop', headers, payload: LOOP });
  return response.payload;
};
/** A loop by a client of either generation. */
const overMcp = (connect: (typeof GENERATIONS)[number][1]) => async (headers: Readonly<Record<string, string>>) => {
  const client = await connect(new URL('/mcp', app.listeningOrigin), { headers });
  const result = await client.callTool({ name: 'svc_loop', arguments: LOOP });
  await client.close();
  return JSON.stringify(result);
};

const REFUSALS: readonly (readonly [string, typeof refusal])[] = [
  ['an unknown key', (key) => ({ status: 401, body: JSON.stringify({ error: `Unknown key ${key}` }) })],
  ['too much', (key) => ({ status: 429, body: JSON.stringify({ code: key, msg: key }) })],
  ['a failure', (key) => ({ status: 500, body: JSON.stringify({ code: key, errorCode: key }) })],
  ['no route', (key) => ({ status: 400, body: JSON.stringify({ errorCode: key, error: key }) })],
  ['another shape', (key) => ({ status: 200, body: JSON.stringify({ inAmount: key, routePlan: key }) })],
  ['no JSON', (key) => ({ status: 200, body: key })],
];

const WAYS: readonly (readonly [string, typeof overRest])[] = [
  ['POST /v1/tx/loop', overRest],
  ...GENERATIONS.map(([name, connect]) => [`svc_loop of ${name}`, overMcp(connect)] as const),
];

describe.each(WAYS)("a caller's keys for aggregators, by %s", (_door, send) => {
  it.each(REFUSALS)('reach the aggregators and nothing else, where these answer %s', async (_what, answer) => {
    refusal = answer;
    asked.length = 0;
    lines.length = 0;
    const { one, two } = newKeys();
    const reply = await send({ 'x-aggregator1-api-key': one, 'x-aggregator2-api-key': two });
    expect(reply).toMatch(/SWAP_ROUTE_UNAVAILABLE|UPSTREAM_UNAVAILABLE/);
    for (const { path, key } of asked) expect([path, key]).toEqual([path, path === '/quote' ? two : one]);
    expect(new Set(asked.map(({ path }) => path))).toEqual(new Set(['/swap/v2/build', '/quote']));
    const metrics = (await app.inject('/metrics')).payload;
    expect(lines.length).toBeGreaterThan(0);
    for (const written of [reply, metrics, ...lines]) expect(written).not.toMatch(/callers-key/);
    expect(plans.rows.size).toBe(0);
  });

  it('are the service’s own without them, which are not told either', async () => {
    refusal = (key) => ({ status: 401, body: JSON.stringify({ error: `Unknown key ${key}` }) });
    asked.length = 0;
    lines.length = 0;
    const reply = await send({});
    expect(new Set(asked.map(({ key }) => key))).toEqual(new Set([OWN]));
    for (const written of [reply, ...lines]) expect(written).not.toContain(OWN);
  });
});
