import type { FastifyInstance } from 'fastify';
import { describe, expect, it } from 'vitest';
import { wireErrorSchema } from '#tools/wire-error-schema.ts';
import { ACCOUNT, accountRow, WALLET } from '../testing/account-rows.ts';
import {
  CHAIN_TIME_MS,
  historySpan,
  KAMINO_RESERVE,
  reserveRow,
  solReserveRow,
  USDC_BANK,
} from '../testing/bank-row.ts';
import { strategyBanks, strategyMeasures, swapQuoteRow } from '../testing/strategy-rows.ts';
import { createAccountsApp, getJson } from '../testing/test-app.ts';

const HISTORY = `/v1/banks/${USDC_BANK}/history`;
const LIMITS = `/v1/banks/${USDC_BANK}/limits`;

/** More accounts than a page has, of one wallet. */
const accounts = Array.from({ length: 130 }, (_, index) =>
  accountRow({
    address: `${ACCOUNT.slice(0, 30)}${String(index).padStart(13, 'A').replaceAll('0', 'z')}`,
    balances: [],
  }),
);
const app = await createAccountsApp({
  accounts,
  store: {
    listBanks: async () => strategyBanks(),
    listBankMeasures: async () => strategyMeasures(),
    listSwapQuotes: async () => [swapQuoteRow()],
    listReserves: async () => [reserveRow(), solReserveRow()],
    readRateHistory: async () => [],
    readHistorySpans: async (addresses) =>
      addresses.map(() => historySpan({ first_hour: new Date(0), last: new Date(CHAIN_TIME_MS) })),
  },
});

type Row = Readonly<Record<string, unknown>>;

/** Every row of a list, page by page. */
async function readPages(from: FastifyInstance, url: string, list: string): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { status, text, body } = await getJson(from, `${url}cursor=${cursor}`);
    expect(status, text).toBe(200);
    rows.push(...body[list]);
    cursor = body.next_cursor;
  }
  return rows;
}

describe('a list of REST', () => {
  it.each([
    ['/v1/banks?limit=1&', '/v1/banks?', 'banks', 4],
    ['/v1/reserves?limit=1&', '/v1/reserves?', 'reserves', 2],
    ['/v1/strategies?limit=2&', '/v1/strategies?', 'strategies', 9],
    ['/v1/strategies?limit=2&sort=break_even_days&', '/v1/strategies?sort=break_even_days&', 'strategies', 9],
  ])('has on the pages of %s the rows of %s, once each, in order', async (paged, whole, list, count) => {
    const rows = await readPages(app, paged, list);
    expect(rows).toHaveLength(count);
    expect(rows).toEqual(await readPages(app, whole, list));
  });

  it('has a wallet with very many accounts on pages of a hundred', async () => {
    const first = await getJson(app, `/v1/account/${WALLET}`);
    expect(first.body.count).toBe(100);
    const rows = await readPages(app, `/v1/account/${WALLET}?`, 'accounts');
    expect(new Set(rows.map(({ address }) => address)).size).toBe(accounts.length);
  });

  it.each([
    ['/v1/banks?limit=1', 'venue=P0'],
    ['/v1/strategies?limit=1', 'kind=stable'],
    [`${HISTORY}?start=2020-01-01`, 'end=2026-01-01'],
  ])('takes no cursor of %s with %s, too', async (url, other) => {
    const { next_cursor: cursor } = (await getJson(app, url)).body;
    expect(cursor).toMatch(/./);
    const { status, body } = await getJson(app, `${url}&${other}&cursor=${cursor}`);
    expect([status, body.code, body.details.field]).toEqual([400, 'INVALID_ARGUMENT', 'cursor']);
    expect(body.error).toMatch(
      /^cursor belongs to another question — allowed: .+ — correct it and call GET \S+ again$/,
    );
  });
});

const REFUSED: Readonly<Record<string, readonly (readonly [query: string, field: string])[]>> = {
  '/v1/banks': [
    ['limit=0', 'limit'],
    ['limit=501', 'limit'],
    ['limit=1.5', 'limit'],
    ['limit=x', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['venue=aave', 'venue'],
    ['side=both', 'side'],
    ['min_available_usd=-1', 'min_available_usd'],
    ['bank=xyz', 'bank'],
    ['fields=colour', 'fields'],
    ['sort=apy', 'sort'],
    ['history=1y', 'history'],
    ['cursor=%00', 'cursor'],
    ['cursor=abc', 'cursor'],
  ],
  '/v1/reserves': [
    ['limit=501', 'limit'],
    ['venue=p0', 'venue'],
    ['venue=aave', 'venue'],
    ['reached=perhaps', 'reached'],
    ['market=xyz', 'market'],
    ['fields=colour', 'fields'],
    ['sort=apy', 'sort'],
    ['cursor=abc', 'cursor'],
  ],
  '/v1/strategies': [
    ['fields=apy', 'fields'],
    ['amount=1', 'supply_symbol'],
    ...['1', '0.5', '2.001', 'two'].map((text) => [`target_leverage=${text}`, 'target_leverage'] as const),
  ],
  [HISTORY]: [
    ['start=yesterday', 'start'],
    ['start=2026-02-31', 'start'],
    ['start=2027-01-01', 'start'],
    ['end=2026-11-21T10:00', 'end'],
    ['start=2026-01-02&end=2026-01-01', 'end'],
    ['start=2026-01-02&end=2026-01-02', 'end'],
    ['interval=5m', 'interval'],
    ['format=xml', 'format'],
    ['fields=colour', 'fields'],
    ['cursor=x', 'cursor'],
  ],
  [LIMITS]: [
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['cursor=x', 'cursor'],
  ],
  [`/v1/activity/${WALLET}`]: [
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['kind=theft', 'kind'],
    ['since=yesterday', 'since'],
    ['since=1700000000', 'since'],
    ['since=2026-11-01T12:30', 'since'],
    ['since=2026-11-02&until=2026-11-01', 'until'],
    ['format=xml', 'format'],
    ['cursor=abc', 'cursor'],
    [`address=${ACCOUNT}`, 'address'],
  ],
  [`/v1/health/${ACCOUNT}`]: ['1', '0.5', 'abc', 'NaN', '1e9'].map((target) => [
    `target_health_ratio=${target}`,
    'target_health_ratio',
  ]),
  '/v1/docs': [
    [`query=${'x'.repeat(201)}`, 'query'],
    ['query=a&limit=0', 'limit'],
    ['query=a&limit=101', 'limit'],
  ],
  // Short; of 31 and of 33 bytes; with a letter that base58 lacks; of the right length, but not of 32 bytes.
  ...Object.fromEntries(
    ['abc', '1'.repeat(31), '2'.repeat(45), `0${ACCOUNT.slice(1)}`, 'z'.repeat(44)].map((address) => [
      `/v1/account/${address}`,
      [['', 'address']],
    ]),
  ),
};

describe('a wrong argument of REST', () => {
  const rows = Object.entries(REFUSED).flatMap(([path, queries]) =>
    queries.map(([query, field]) => [path, query, field] as const),
  );

  it.each(rows)('of %s?%s is refused by its name: %s', async (path, query, field) => {
    const { status, text, body } = await getJson(app, `${path}?${query}`);
    expect(status, text).toBe(400);
    const { error } = wireErrorSchema.parse(body);
    expect(body).toMatchObject({ code: 'INVALID_ARGUMENT', details: { field }, retryable: false });
    expect(error).toMatch(/ — allowed: .+ — /);
  });

  it.each([`/v1/reserves/${KAMINO_RESERVE}`, `/v1/banks/${USDC_BANK}`, '/v1/docs', '/v1/banks'])(
    'that %s does not know is named, and its value never repeated',
    async (path) => {
      const { status, text, body } = await getJson(app, `${path}?api_key=sk-secret-value`);
      expect([status, body.code, body.details.fields]).toEqual([400, 'INVALID_ARGUMENT', ['api_key']]);
      expect(body.error).toContain('Unknown field "api_key"');
      expect(text).not.toContain('sk-secret');
    },
  );
});
