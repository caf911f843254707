import { afterAll, describe, expect, it } from 'vitest';
import { wireErrorSchema } from '#tools/wire-error-schema.ts';
import { bankRow, CHAIN_TIME_MS, DRIFT_BANK, driftRow, SOL_BANK, USDC_BANK } from '../testing/bank-row.ts';
import { createTestApp, fakeStore } from '../testing/test-app.ts';
import { getBanksOutput } from '../tools/get-banks.ts';

const DAY_MS = 86_400_000;

const rows = [
  bankRow(),
  bankRow({
    address: SOL_BANK,
    symbol: 'SOL',
    mint: 'So11111111111111111111111111111111111111112',
    decimals: 9,
    total_assets_base: '500000000000',
  }),
  driftRow(),
];

const app = await createTestApp({ store: fakeStore(rows) });
afterAll(() => app.close());

async function get(url: string) {
  const response = await app.inject({ method: 'GET', url });
  return { status: response.statusCode, headers: response.headers, text: response.body, json: () => response.json() };
}

describe('GET /v1/banks', () => {
  it('answers every bank whole, dated, with what it does not cover', async () => {
    const { status, json } = await get('/v1/banks');
    expect(status).toBe(200);
    const body = getBanksOutput.parse(json());
    expect(body.count).toBe(3);
    expect(body.banks.map(({ symbol }) => symbol)).toEqual(['USDC', 'SOL', 'USDC']);
    expect(body.as_of).toEqual({
      slot: 400_001_000,
      time: '2026-11-21T10:00:00.000Z',
      age_seconds: 5,
      stale: false,
      source: 'chain',
    });
    expect(body.coverage).toMatchObject({ venues_covered: ['P0'], complete: false, banks_skipped: [] });
    expect(body.coverage.venues_missing).toEqual([{ venue: 'Drift', reason: 'never sampled yet', since: null }]);
    expect(body.warnings.map(({ code }) => code)).toEqual([]);
  });

  it.each([
    ['symbol=usdc', [USDC_BANK, DRIFT_BANK]],
    ['symbol=USD', []],
    ['venue=p0', [USDC_BANK, SOL_BANK]],
    ['venue=DRIFT', [DRIFT_BANK]],
    [`bank=${SOL_BANK}`, [SOL_BANK]],
    ['mint=So11111111111111111111111111111111111111112', [SOL_BANK]],
    ['side=borrow', [USDC_BANK, SOL_BANK]],
    ['side=lend&symbol=USDC', [USDC_BANK]],
    ['min_available_usd=800', [USDC_BANK]],
    ['min_available_usd=800.01', []],
    ['sort=symbol&limit=1', [SOL_BANK]],
    ['symbol=&venue=', [USDC_BANK, SOL_BANK, DRIFT_BANK]],
  ])('with %s lists %j', async (query, addresses) => {
    const body = (await get(`/v1/banks?${query}`)).json();
    expect(body.banks.map(({ address }: { address: string }) => address)).toEqual(addresses);
    expect(body.empty_reason === undefined).toBe(addresses.length > 0);
  });

  it('takes save and solend as one venue', async () => {
    const other = await createTestApp({ store: fakeStore([driftRow({ venue: 'solend' }), bankRow()]) });
    const names = await Promise.all(
      ['save', 'SOLEND'].map(async (venue) => (await other.inject(`/v1/banks?venue=${venue}`)).json().count),
    );
    expect(names).toEqual([1, 1]);
  });

  it.each([
    ['deposits_usd', '"NaN"'],
    ['deposits_usd', '1e999'],
    ['symbol', '5'],
  ])('refuses a cursor by %s whose place was edited to %s', async (sort, value) => {
    const { next_cursor: cursor } = (await get(`/v1/banks?limit=1&sort=${sort}`)).json();
    const [version, question, , address] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    const edited = (place: string, bank = address) =>
      Buffer.from(`[${version},"${question}",${place},"${bank}"]`).toString('base64url');
    const answerTo = async (text: string) => (await get(`/v1/banks?limit=1&sort=${sort}&cursor=${text}`)).json();
    expect(await answerTo(edited('null'))).not.toHaveProperty('code');
    expect(await answerTo(edited(value))).toMatchObject({ code: 'INVALID_ARGUMENT', details: { field: 'cursor' } });
    expect(await answerTo(edited('null', 'x'))).toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it('says of an empty list too that it speaks of the test chain', async () => {
    const local = await createTestApp({ store: fakeStore([bankRow({ source: 'localnet' })]) });
    const body = (await local.inject('/v1/banks?symbol=NONE')).json();
    expect([body.count, body.as_of.source]).toEqual([0, 'localnet']);
    expect(body.warnings.map(({ code }: { code: string }) => code)).toContain('LOCAL_CHAIN');
  });

  it('shows chosen fields only, and the address', async () => {
    const body = (await get('/v1/banks?fields=symbol,rates.utilization_pct&limit=1')).json();
    expect(body.banks).toEqual([{ address: USDC_BANK, symbol: 'USDC', rates: { utilization_pct: 60 } }]);
  });

  it('keeps of a concise bank its rates, size, and the caps and rooms of the sides that it has', async () => {
    const body = (await get('/v1/banks?response_format=concise')).json();
    const keysOf = (venue: string) => {
      const bank = body.banks.find((each: { venue: string }) => each.venue === venue);
      return [Object.keys(bank), Object.keys(bank.rates), Object.keys(bank.size)];
    };
    expect(keysOf('P0')).toEqual([
      ['address', 'symbol', 'mint', 'venue', 'price_usd', 'actions_allowed', 'rates', 'size'],
      ['total_deposit_apy_pct', 'total_borrow_apy_pct', 'deposit_apy_7d_pct', 'borrow_apy_7d_pct'],
      [
        'deposits_usd',
        'available_liquidity_usd',
        'deposit_limit_usd',
        'borrow_limit_usd',
        'deposit_capacity_remaining_usd',
        'borrow_capacity_remaining_usd',
      ],
    ]);
    expect(keysOf('Drift')).toEqual([
      ['address', 'symbol', 'mint', 'venue', 'price_usd', 'actions_allowed', 'rates', 'size'],
      ['total_deposit_apy_pct', 'deposit_apy_7d_pct'],
      ['deposits_usd', 'available_liquidity_usd', 'deposit_limit_usd', 'deposit_capacity_remaining_usd'],
    ]);
    expect(getBanksOutput.parse(body).count).toBe(3);
  });

  it('shows of an object that is not there that it is not there', async () => {
    const body = (await get('/v1/banks?fields=reserve.status,symbol&limit=1')).json();
    expect(body.banks).toEqual([{ address: USDC_BANK, symbol: 'USDC', reserve: null }]);
    expect(getBanksOutput.parse(body).count).toBe(1);
  });

  it('says of a field that is given twice that it is, unless it takes several', async () => {
    const { status, json } = await get('/v1/banks?limit=5&limit=6');
    expect(status).toBe(400);
    expect(json()).toMatchObject({ details: { field: 'limit' } });
    expect(json().error).toMatch(/^limit is given twice — allowed: once — /);
    expect((await get('/v1/banks?unknown=1&unknown=2')).json().error).toMatch(/^Unknown field "unknown"/);
    const body = (await get('/v1/banks?limit=1&fields=symbol&fields=address')).json();
    expect(body.banks).toEqual([{ address: USDC_BANK, symbol: 'USDC' }]);
  });

  it('lets age run between two answers from the same snapshot', async () => {
    let nowMs = CHAIN_TIME_MS + 1_000;
    const clocked = await createTestApp({ store: fakeStore(rows), now: () => nowMs });
    const first = (await clocked.inject('/v1/banks')).json().as_of;
    nowMs += 200_000;
    const second = (await clocked.inject('/v1/banks')).json();
    expect([first.age_seconds, first.stale]).toEqual([1, false]);
    expect([second.as_of.age_seconds, second.as_of.stale]).toEqual([201, true]);
    expect(second.warnings[0].code).toBe('DATA_STALE');
  });

  it('calls banks that nobody samples old but never stale, because configuration does not age', async () => {
    const late = await createTestApp({ store: fakeStore(rows), now: () => CHAIN_TIME_MS + DAY_MS });
    const historyless = {
      readHistorySpans: async () => [
        { first_sample: null, first_hour: null, first_day: null, last: null, rolled_before: null },
      ],
    };
    const lateHistory = await createTestApp({ store: fakeStore(rows, historyless), now: () => CHAIN_TIME_MS + DAY_MS });
    for (const answer of [
      await late.inject('/v1/banks?venue=Drift'),
      await late.inject(`/v1/banks/${DRIFT_BANK}`),
      await lateHistory.inject(`/v1/banks/${DRIFT_BANK}/history`),
    ]) {
      const { as_of, warnings } = answer.json();
      expect(as_of).toMatchObject({ slot: 400_000_000, age_seconds: (DAY_MS + 3_600_000) / 1000, stale: false });
      expect(warnings.map(({ code }: { code: string }) => code)).not.toContain('DATA_STALE');
    }
    const all = (await late.inject('/v1/banks')).json();
    expect([all.as_of.slot, all.as_of.stale, all.warnings[0].code]).toEqual([400_001_000, true, 'DATA_STALE']);
  });

  it('answers 503 before the first bank is there', async () => {
    const empty = await createTestApp({ store: fakeStore([]) });
    const response = await empty.inject('/v1/banks');
    expect(response.statusCode).toBe(503);
    expect(response.headers['retry-after']).toBe('10');
    expect(response.json()).toMatchObject({ code: 'DATA_STALE', retryable: true, retry_after_s: 10 });
  });

  it('answers 503 when no bank at all can be read', async () => {
    const broken = await createTestApp({ store: fakeStore([driftRow({ emode: 'nonsense' })]) });
    const response = await broken.inject('/v1/banks');
    expect([response.statusCode, response.json().code]).toEqual([503, 'DATA_STALE']);
  });

  it('keeps the other banks when one row cannot be read', async () => {
    const broken = await createTestApp({ store: fakeStore([bankRow(), driftRow({ emode: 'nonsense' })]) });
    const body = (await broken.inject('/v1/banks')).json();
    expect(body.count).toBe(1);
    expect(body.coverage.banks_skipped).toEqual([{ bank: DRIFT_BANK, reason: 'its stored record cannot be read' }]);
  });
});

describe('GET /v1/banks/{bank}', () => {
  it('answers the record itself', async () => {
    const { status, json } = await get(`/v1/banks/${USDC_BANK}`);
    expect(status).toBe(200);
    expect(json()).toMatchObject({ address: USDC_BANK, price_usd: 2, as_of: { source: 'chain' } });
  });

  it('tells an unknown bank from a text that is no address', async () => {
    const unknown = await get('/v1/banks/11111111111111111111111111111111');
    expect([unknown.status, unknown.json().code]).toEqual([404, 'BANK_NOT_FOUND']);
    const malformed = await get('/v1/banks/USDC');
    expect([malformed.status, malformed.json().code]).toEqual([400, 'INVALID_ARGUMENT']);
  });
});

describe('error bodies', () => {
  it.each([
    ['GET', '/nothing', {}, undefined, 404, 'NOT_FOUND'],
    ['DELETE', '/v1/banks', {}, undefined, 405, 'METHOD_NOT_ALLOWED'],
    ['GET', '/v1/banks/%E0%A4%A', {}, undefined, 400, 'INVALID_ARGUMENT'],
    ['POST', '/v1/banks', { 'content-type': 'application/json' }, '{}', 405, 'METHOD_NOT_ALLOWED'],
  ] as const)('%s %s is the wire error', async (method, url, headers, payload, status, code) => {
    const response = await app.inject({ method, url, headers, ...(payload && { payload }) });
    expect(response.statusCode).toBe(status);
    expect(wireErrorSchema.parse(response.json()).code).toBe(code);
  });
});

describe('pages and probes', () => {
  it('shows the body of a builder, with examples that it takes', async () => {
    const { paths } = (await get('/v1/openapi.json')).json();
    for (const kind of ['create-account', 'deposit', 'withdraw', 'borrow', 'repay', 'loop', 'close-position']) {
      const { content } = paths[`/v1/tx/${kind}`].post.requestBody;
      const { schema, example, examples } = content['application/json'];
      expect(schema.additionalProperties).toBe(false);
      const bodies = example === undefined ? Object.values<{ value: object }>(examples) : [{ value: example }];
      for (const { value } of bodies) {
        expect(Object.keys(schema.properties)).toEqual(expect.arrayContaining(Object.keys(value)));
        const reply = await app.inject({ method: 'POST', url: `/v1/tx/${kind}`, payload: value });
        expect(reply.statusCode, reply.payload).toBe(200);
      }
    }
  });

  it('shows the headers of the two that take keys, of the one that can be resumed, and of no other', async () => {
    const { paths } = (await get('/v1/openapi.json')).json();
    type Parameter = { readonly name: string; readonly in: string; readonly required?: boolean };
    const headersOf = (item: Record<string, { readonly parameters?: readonly Parameter[] }>) =>
      Object.values(item).flatMap(({ parameters = [] }) => parameters.filter((each) => each.in === 'header'));
    const taking = Object.entries<Parameters<typeof headersOf>[0]>(paths).flatMap(([path, item]) =>
      headersOf(item).map(({ name, required = false }) => [path, name, required]),
    );
    expect(taking).toEqual([
      ...['/v1/tx/loop', '/v1/tx/close-position'].flatMap((path) => [
        [path, 'x-aggregator1-api-key', false],
        [path, 'x-jupiter-api-key', false],
        [path, 'x-aggregator2-api-key', false],
      ]),
      ['/v1/stream', 'last-event-id', false],
    ]);
  });

  it('serves the reference page from here alone', async () => {
    const page = await get('/docs');
    expect(page.status).toBe(200);
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    expect(page.text).not.toMatch(/https?:\/\//);
  });

  it('is alive and counts requests by route', async () => {
    expect((await get('/healthz')).json()).toEqual({ status: 'alive' });
    await get('/v1/banks');
    expect((await get('/metrics')).text).toContain(
      'api_request_answer_seconds_count{method="GET",route="/v1/banks",status="200"}',
    );
  });
});
