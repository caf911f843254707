import type { FastifyInstance } from 'fastify';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { activityRow, LIQUIDATOR, WALLET } from '../testing/account-rows.ts';
import { answeredFollow } from '../testing/accounts-app.ts';
import { bankRow } from '../testing/bank-row.ts';
import { bucketRow } from '../testing/bucket-row.ts';
import { madeAddress } from '../testing/made-address.ts';
import { strategyBanks, strategyMeasures, swapQuoteRow } from '../testing/strategy-rows.ts';
import { createTestApp, fakeStore } from '../testing/test-app.ts';
import { connectModern } from './testing/mcp-clients.ts';

const CEILING_TOKENS = 8_000;
const DEFAULT_TOKENS = 3_000;
const DAY_MS = 86_400_000;

const [usdc = bankRow(), ...others] = strategyBanks();
const [usdcMeasure, ...otherMeasures] = strategyMeasures();

/** As many banks as there are on the chain, each its own token, with figures as long as real ones. */
const banks = [
  usdc,
  ...others,
  ...Array.from({ length: 100 }, (_, index) => ({
    ...usdc,
    address: madeAddress(`bank ${index}`),
    mint: madeAddress(`mint ${index}`),
    symbol: `TOKEN${index}`,
    deposit_apr: `0.05${index}234567890123456`,
    borrow_apr: '0.091234567890123456',
    utilization: '0.631234567890123456',
    price_usd: '0.999876543211234567',
  })),
];
const measures = banks.map(({ address }) => {
  const own = [usdcMeasure, ...otherMeasures].find((measure) => measure?.bank === address);
  return own ?? { ...(usdcMeasure as NonNullable<typeof usdcMeasure>), bank: address };
});
const activities = Array.from({ length: 120 }, (_, index) =>
  activityRow({
    id: `${activityRow().signature}:${index}`,
    actor: LIQUIDATOR,
    slot: 400_000_900n - BigInt(index),
    legs: [0, 1, 2].map((leg) => ({
      bank: madeAddress(`bank ${leg}`),
      mint: madeAddress(`mint ${leg}`),
      action: 'deposit' as const,
      amount_base: '123456789012',
      shares: null,
      closes_side: true,
      premium_settled: null,
      premium_written_off: null,
    })),
  }),
);

let app: FastifyInstance;
let client: Awaited<ReturnType<typeof connectModern>>;
beforeAll(async () => {
  app = await createTestApp({
    store: fakeStore(banks, {
      listBankMeasures: async () => measures,
      listSwapQuotes: async () => [swapQuoteRow()],
      readRateHistory: async ({ banks: asked, start }) =>
        asked.flatMap((bank) =>
          Array.from({ length: 30 }, (_, day) =>
            bucketRow(new Date(start.getTime() + day * DAY_MS), {
              bank,
              deposit_apr: 0.0512345678 + day / 1_000,
              borrow_apr: 0.0912345678 + day / 1_000,
              utilization: 0.63123456 + day / 1_000,
            }),
          ),
        ),
      readActivity: async ({ limit }) => activities.slice(0, limit),
      readActivityPrices: async (asked) =>
        asked.map(({ bank, time }) => ({ bank, time, price_usd: '150.123456', exchange_rate: null })),
      requestFollow: async ({ address, aspect }) => ({ kind: 'known', follow: answeredFollow(address, aspect, []) }),
    }),
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  client = await connectModern(new URL('/mcp', app.listeningOrigin));
  await client.listTools();
});
afterAll(async () => {
  await client.close();
  await app.close();
});

async function ask(name: string, args: Record<string, unknown>) {
  const result = await client.callTool({ name, arguments: args });
  const text = (result.content as { text: string }[])[0]?.text ?? '';
  expect(result.isError ?? false, text).toBe(false);
  const reply = result.structuredContent as {
    readonly count: number;
    readonly next_cursor: string | null;
    readonly coverage: unknown;
    readonly warnings: readonly { readonly code: string; readonly message: string }[];
  };
  return { tokens: countTokens(text), reply };
}

const AT_LIMITS: readonly (readonly [string, Record<string, unknown>, RegExp])[] = [
  ['svc_get_banks', { limit: 500 }, /symbol, venue, side/],
  ['svc_get_banks', { limit: 500, response_format: 'detailed' }, /symbol, venue, side/],
  ['svc_get_banks', { limit: 500, history: '30d' }, /symbol, venue, side/],
  ['svc_get_banks', { limit: 500, history: '30d', response_format: 'detailed' }, /symbol, venue, side/],
  ['svc_get_strategies', { limit: 100 }, /kind, supply_symbol/],
  ['svc_get_strategies', { limit: 100, response_format: 'detailed' }, /kind, supply_symbol/],
  ['svc_get_activity', { address: WALLET, limit: 100, response_format: 'detailed' }, /kind, since or until/],
  ['svc_get_activity', { address: WALLET, limit: 100, format: 'csv' }, /kind, since or until/],
];

describe('the ceiling of an answer over MCP', () => {
  it('names a few of many banks that are left out, and says so; REST names all', async () => {
    const { reply } = await ask('svc_get_strategies', {});
    expect(reply.coverage).toMatchObject({ complete: false, banks_skipped: { length: 5 } });
    expect(reply.warnings.find(({ code }) => code === 'SKIPPED_SHORTENED')?.message).toMatch(
      /^\d{3} banks are left out/,
    );
    const { coverage, warnings } = (await app.inject('/v1/strategies')).json();
    expect(coverage.banks_skipped.length).toBeGreaterThan(50);
    expect(JSON.stringify(warnings)).not.toContain('SKIPPED_SHORTENED');
  });

  it.each(AT_LIMITS)('%s with %j stays below it, and says what would fit', async (name, args, filter) => {
    const { tokens, reply } = await ask(name, args);
    expect(tokens).toBeLessThanOrEqual(CEILING_TOKENS);
    expect(reply.next_cursor).not.toBeNull();
    expect(reply.warnings.find(({ code }) => code === 'TRUNCATED')?.message).toMatch(filter);
  });

  it.each([
    ['svc_get_banks', {}],
    ['svc_get_strategies', {}],
    ['svc_get_activity', { address: WALLET }],
    ['svc_search_docs', {}],
    ['svc_search_docs', { query: 'risk of a loop, errors, signing, limits' }],
  ])('%s with %j is a page of the default length', async (name, args) => {
    expect((await ask(name, args)).tokens).toBeLessThanOrEqual(DEFAULT_TOKENS);
  });
});
