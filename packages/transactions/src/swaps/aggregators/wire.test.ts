import { JUPITER_PROGRAM } from '@lending/programs';
import { AccountRole } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { queryOf } from '../find/look-at.ts';
import type { SwapQuery } from '../swap-route.ts';
import {
  DESTINATION,
  IN_MINT,
  json,
  makeRequest,
  OUT_MINT,
  SOURCE,
  TAKER,
  tradeOf,
} from '../testing/made-aggregators.ts';
import { dflowInstructions, dflowQuote, jupiterBuild, TABLE } from '../testing/wire-answers.ts';
import type { Aggregator } from './aggregator.ts';
import { createDflow } from './dflow.ts';
import { createJupiter } from './jupiter.ts';

const NOW = 1_790_000_000_000;
const TRADE = tradeOf(1_000_000n, 149_990_000n);
const query = (changes: Partial<SwapQuery> = {}): SwapQuery => ({
  ...queryOf(makeRequest(), 1_000_000n, { maxAccounts: 34, maxLegs: null }, false),
  ...changes,
});

interface Sent {
  readonly url: URL;
  readonly init: RequestInit;
}

/** An aggregator that is answered in order, with what it sent. */
function open(create: typeof createJupiter | typeof createDflow, url: string, ...answers: readonly Response[]) {
  const sent: Sent[] = [];
  const left = [...answers];
  const aggregator: Aggregator = create({
    url,
    now: () => NOW,
    fetch: (address, init) => {
      sent.push({ url: new URL(address), init });
      const answer = left.shift();
      return answer === undefined ? Promise.reject(new TypeError('fetch failed')) : Promise.resolve(answer);
    },
  });
  const ask = (asked = query(), key: string | null = null) =>
    aggregator.ask(asked, { key, signal: new AbortController().signal });
  return { sent, ask, aggregator };
}

const jupiter = (...answers: readonly Response[]) => open(createJupiter, 'https://api.jup.ag', ...answers);
const dflow = (...answers: readonly Response[]) => open(createDflow, 'https://dev-quote-api.dflow.net/', ...answers);

describe('createJupiter', () => {
  it('asks for quote and instructions in one, of wrapped SOL, in no more accounts than there is room for', async () => {
    const { sent, ask } = jupiter(json(jupiterBuild(TRADE)));
    await ask(query({ forBundle: true }), 'jup_key');
    const [{ url, init } = { url: new URL('http://none'), init: {} }] = sent;
    expect(`${url.origin}${url.pathname}`).toBe('https://api.jup.ag/swap/v2/build');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      inputMint: IN_MINT,
      outputMint: OUT_MINT,
      amount: '1000000',
      taker: TAKER,
      slippageBps: '50',
      wrapAndUnwrapSol: 'false',
      maxAccounts: '34',
      forJitoBundle: 'true',
    });
    expect(init).toMatchObject({ redirect: 'error', headers: { 'x-api-key': 'jup_key' } });
    expect(init.method).toBeUndefined();
  });

  it.each([
    ['does not name the mints', { inputMint: undefined, outputMint: null }, [IN_MINT, OUT_MINT]],
    ['names others', { inputMint: OUT_MINT, outputMint: IN_MINT }, [OUT_MINT, IN_MINT]],
  ])('is taken at the word of its quote, where that %s', async (_what, named, [inMint, outMint]) => {
    const { ask } = jupiter(json({ ...jupiterBuild(TRADE), ...named }));
    expect(await ask()).toMatchObject({ kind: 'offered', offer: { inMint, outMint } });
  });

  it('asks without a key where there is none, and leaves the rest to it', async () => {
    const { sent, ask } = jupiter(json(jupiterBuild(TRADE)));
    await ask(query({ maxAccounts: null }));
    expect(sent[0]?.url.searchParams.has('maxAccounts')).toBe(false);
    expect(sent[0]?.url.searchParams.has('forJitoBundle')).toBe(false);
    expect(new Headers(sent[0]?.init.headers).has('x-api-key')).toBe(false);
  });

  it('reads its answer', async () => {
    const asked = await jupiter(json(jupiterBuild(TRADE))).ask();
    if (asked.kind === 'failed') throw new Error(asked.detail);
    expect(asked.offer).toMatchObject({
      inMint: IN_MINT,
      outMint: OUT_MINT,
      lookupTables: [TABLE],
      others: [],
      quote: {
        aggregator: 'jupiter',
        inBase: 1_000_000n,
        outBase: 149_990_000n,
        minOutBase: 149_240_050n,
        slippageBps: 50,
        priceImpactE18: 124_500_000_000_000n,
        fee: null,
        contextSlot: null,
        labels: ['Whirlpool'],
        requestId: null,
      },
      swap: { programAddress: JUPITER_PROGRAM },
    });
    expect(asked.offer.setup).toHaveLength(2);
    expect(asked.offer.swap.accounts?.slice(0, 4)).toEqual([
      { address: TAKER, role: AccountRole.READONLY_SIGNER },
      { address: SOURCE, role: AccountRole.WRITABLE },
      { address: DESTINATION, role: AccountRole.WRITABLE },
      { address: IN_MINT, role: AccountRole.READONLY },
    ]);
    expect(asked.offer.swap.data?.slice(0, 8)).toEqual(Uint8Array.of(187, 100, 250, 204, 49, 196, 175, 20));
  });

  it('reads an answer without tables, without the fields that may be left out, and with some that nobody knows', async () => {
    const { priceImpactPct: _, cleanupInstruction: __, ...rest } = jupiterBuild(TRADE);
    const body = {
      ...rest,
      addressesByLookupTableAddress: null,
      requestId: 'r-1',
      contextSlot: 77,
      swapUsdValue: '150.01',
    };
    const asked = await jupiter(json(body)).ask();
    expect(asked).toMatchObject({
      offer: { lookupTables: [], quote: { priceImpactE18: null, requestId: 'r-1', contextSlot: 77n } },
    });
  });

  it.each([
    ['0', 0n],
    ['-0.00001', -10_000_000_000_000n],
    ['1.5e-7', 150_000_000_000n],
    ['1E-30', 0n],
    [0.02, 20_000_000_000_000_000n],
    [1e-7, 100_000_000_000n],
  ])('reads an impact of %s', async (priceImpactPct, expected) => {
    const asked = await jupiter(json({ ...jupiterBuild(TRADE), priceImpactPct })).ask();
    expect(asked).toMatchObject({ offer: { quote: { priceImpactE18: expected } } });
  });

  it.each([
    [400, { error: 'No routes found' }, 'no_route'],
    [400, { error: 'x', errorCode: 'NO_ROUTES_FOUND' }, 'no_route'],
    [400, { error: 'x', errorCode: 'COULD_NOT_FIND_ANY_ROUTE' }, 'no_route'],
    [400, { error: 'The token is not tradable', errorCode: 'TOKEN_NOT_TRADABLE' }, 'no_route'],
    [400, { error: 'Invalid mint' }, 'request_refused'],
    [401, { message: 'Unauthorized' }, 'key_refused'],
    [403, { code: 403, message: 'Forbidden' }, 'key_refused'],
    [404, 'Not Found', 'request_refused'],
    [500, {}, 'server_error'],
    [502, '<html>', 'server_error'],
  ])('calls %d %j by its name', async (status, body, reason) => {
    expect(await jupiter(json(body, { status })).ask()).toMatchObject({ kind: 'failed', reason, retryAtMs: null });
  });

  it.each([
    [{ 'x-ratelimit-remaining': '-1', 'x-ratelimit-reset': `${NOW / 1_000 + 9}` }, 9_000],
    [{ 'retry-after': '4' }, 4_000],
    [{ 'retry-after': new Date(NOW + 5_000).toUTCString() }, 5_000],
    [{}, 2_000],
    [{ 'x-ratelimit-reset': 'soon' }, 2_000],
    [{ 'x-ratelimit-reset': `${NOW / 1_000 - 5}` }, 1_000],
    [{ 'retry-after': '86400' }, 60_000],
  ])('hears from %j when its limit frees', async (headers: Record<string, string>, waitMs) => {
    const asked = await jupiter(json({ message: 'Too many requests' }, { status: 429, headers })).ask();
    expect(asked).toMatchObject({ reason: 'rate_limited', retryAtMs: NOW + waitMs });
  });
});

describe('createDflow', () => {
  const answers = () => [json(dflowQuote(TRADE)), json(dflowInstructions(TRADE))] as const;

  it('asks for a quote, then for its instructions with the very quote', async () => {
    // Written as nobody here would, with a field that nobody here knows.
    const text = JSON.stringify({ ...dflowQuote(TRADE), later: { big: 1 } }, null, 2).replace(
      '"big": 1',
      '"big": 12345678901234567890',
    );
    const { sent, ask } = dflow(new Response(text), json(dflowInstructions(TRADE)));
    expect((await ask(query({ maxLegs: 2, forBundle: true }), 'dflow_key')).kind).toBe('offered');
    expect(sent.map(({ url }) => `${url.origin}${url.pathname}`)).toEqual([
      'https://dev-quote-api.dflow.net/quote',
      'https://dev-quote-api.dflow.net/swap-instructions',
    ]);
    expect(Object.fromEntries(sent[0]?.url.searchParams ?? [])).toEqual({
      inputMint: IN_MINT,
      outputMint: OUT_MINT,
      amount: '1000000',
      slippageBps: '50',
      maxRouteLength: '2',
      forJitoBundle: 'true',
    });
    const { method, body, headers } = sent[1]?.init ?? {};
    expect({ method, key: new Headers(headers).get('x-api-key') }).toEqual({ method: 'POST', key: 'dflow_key' });
    expect(body).toContain(`"quoteResponse":${text}}`);
    expect(JSON.parse(String(body))).toMatchObject({
      userPublicKey: TAKER,
      wrapAndUnwrapSol: false,
      quoteResponse: { inAmount: '1000000', later: {} },
    });
  });

  it('asks for one pool where routes are to be as short as that', async () => {
    const { sent, ask } = dflow(...answers());
    await ask(query({ maxLegs: 1 }));
    expect(sent[0]?.url.searchParams.get('onlyDirectRoutes')).toBe('true');
    expect(sent[0]?.url.searchParams.has('maxRouteLength')).toBe(false);
  });

  it('reads both answers', async () => {
    const asked = await dflow(...answers()).ask();
    expect(asked).toMatchObject({
      offer: {
        inMint: IN_MINT,
        outMint: OUT_MINT,
        lookupTables: [TABLE],
        others: [],
        quote: {
          aggregator: 'dflow',
          inBase: 1_000_000n,
          outBase: 149_990_000n,
          minOutBase: 149_240_050n,
          priceImpactE18: 200_000_000_000_000n,
          fee: null,
          contextSlot: 1_000n,
          labels: ['Raydium CLMM'],
          requestId: 'b7a5c3d2',
        },
      },
    });
  });

  it.each([
    ['inputMint', IN_MINT],
    ['outputMint', OUT_MINT],
  ])('reads a fee that its host takes of the %s', async (mode, mint) => {
    const quote = { ...dflowQuote(TRADE), platformFee: { amount: '123', feeBps: 1, mode } };
    const asked = await dflow(json(quote), json(dflowInstructions(TRADE))).ask();
    expect(asked).toMatchObject({ offer: { quote: { fee: { mint, base: 123n } } } });
  });

  it.each([
    [400, 'route_not_found', 'no_route'],
    [400, 'price_impact_too_high', 'no_route'],
    [400, 'zero_out_amount', 'no_route'],
    [400, 'invalid_input_mint', 'request_refused'],
    [500, 'failed_to_compute_route', 'server_error'],
    [503, 'amm_map_lagging', 'server_error'],
    [429, '', 'rate_limited'],
  ])('calls %d %s by its name, at either step', async (status, code, reason) => {
    const refusal = () => json({ code, msg: 'no' }, { status });
    expect(await dflow(refusal()).ask()).toMatchObject({ reason });
    expect(await dflow(json(dflowQuote(TRADE)), refusal()).ask()).toMatchObject({ reason });
  });

  it('is asked without a key on its development host alone', () => {
    expect(dflow().aggregator.isKeyless).toBe(true);
    expect(open(createDflow, 'https://quote-api.dflow.net').aggregator.isKeyless).toBe(false);
  });
});
