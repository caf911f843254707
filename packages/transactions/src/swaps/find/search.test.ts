import { AccountRole } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { addressOf } from '#compile/testing-instructions.ts';
import type { SwapFit, SwapRequest } from '../swap-finder.ts';
import type { SwapRoute } from '../swap-route.ts';
import { FAIR, json, type MadeAggregator, makeFinder, makeRequest, tradeOf } from '../testing/made-aggregators.ts';
import { jupiterBuild } from '../testing/wire-answers.ts';
import type { Attempt } from './attempt.ts';
import { compareRoutes } from './compare-routes.ts';
import { sizeRoute } from './size-route.ts';

/** A plan that has room for a swap of so many accounts. */
const roomFor =
  (accounts: number, submit: 'sequential' | 'bundle' = 'sequential') =>
  ({ swap }: SwapRoute): Promise<SwapFit> => {
    const used = swap[0]?.accounts?.length ?? 0;
    return Promise.resolve(
      used <= accounts
        ? { kind: 'fits', submit }
        : { kind: 'too_large', error: new Error(`${used} accounts of ${accounts}`) },
    );
  };

/** Fewer accounts, worse price: 1 basis point for each that is missing of 40; two pools, then one, for those that count pools. */
const routing: MadeAggregator = {
  answer: ({ path, query, body }, own) => {
    const accounts = Math.min(40, Number(query.maxAccounts ?? 40));
    const legs = query.onlyDirectRoutes === 'true' ? 1 : Number(query.maxRouteLength ?? 3);
    const lossBps = BigInt(40 - accounts) + BigInt(3 - legs) * 20n;
    const made = own() as Instructed & { readonly outAmount: string };
    if (path === '/swap-instructions') {
      const { quoteResponse } = body as { quoteResponse: { legs: number } };
      return json(withPools(made, quoteResponse.legs * 12));
    }
    const outAmount = (BigInt(made.outAmount) * (10_000n - lossBps)) / 10_000n;
    const quote = {
      ...made,
      legs,
      outAmount: `${outAmount}`,
      otherAmountThreshold: `${(outAmount * 9_950n) / 10_000n}`,
    };
    return json(path === '/quote' ? quote : withPools(withQuoted(quote, outAmount), accounts));
  },
};

interface Instructed {
  readonly swapInstruction?: { readonly accounts: readonly unknown[]; readonly data: string };
}

function withPools(body: Instructed, pools: number): object {
  const { swapInstruction } = body;
  if (swapInstruction === undefined) return body;
  const fixed = swapInstruction.accounts.slice(0, -10);
  const pool = (index: number) => ({ pubkey: addressOf(4_000 + index), isSigner: false, isWritable: true });
  const accounts = [...fixed, ...Array.from({ length: pools }, (_, index) => pool(index))];
  return { ...body, swapInstruction: { ...swapInstruction, accounts } };
}

function withQuoted(body: Instructed & object, quoted: bigint): object {
  const { swapInstruction } = body;
  if (swapInstruction === undefined) return body;
  const data = Buffer.from(swapInstruction.data, 'base64');
  data.writeBigUInt64LE(quoted, 16);
  return { ...body, swapInstruction: { ...swapInstruction, data: data.toString('base64') } };
}

const accountsOf = ({ swap }: SwapRoute) => swap[0]?.accounts?.length ?? 0;

describe('sizing', () => {
  it('keeps the least that covers, where prices are odd', async () => {
    // A better price below a certain size than above it, and the other way round after that.
    const lossPpm = (inBase: bigint) => (inBase < 1_009_000n ? 20_000n : 0n);
    const { finder, calls } = makeFinder({
      dflow: null,
      jupiter: {
        answer: ({ query }) =>
          json(jupiterBuild(tradeOf(BigInt(query.amount ?? ''), outOf(BigInt(query.amount ?? ''))))),
      },
    });
    const outOf = (inBase: bigint) => (inBase * FAIR * (1_000_000n - lossPpm(inBase))) / 1_000_000n;
    const { route } = await finder.find(makeRequest({ inBase: 1_010_000n }));
    expect(calls).toHaveLength(3);
    expect(Number(calls.at(-1)?.query.amount)).toBeGreaterThan(1_010_000);
    expect(route.quote.inBase).toBe(1_010_000n);
  });
});

describe('compareRoutes', () => {
  const routeOf = (changes: Partial<SwapRoute['quote']>, setup = 0): SwapRoute => ({
    quote: {
      aggregator: 'jupiter',
      inBase: 1_000_000n,
      outBase: 150_000_000n,
      minOutBase: 1n,
      slippageBps: 50,
      priceImpactE18: null,
      fee: null,
      contextSlot: null,
      labels: ['Whirlpool'],
      requestId: null,
      ...changes,
    },
    setup: Array.from({ length: setup }, () => ({ programAddress: addressOf(1) })),
    swap: [],
    lookupTables: [],
  });
  const plain = routeOf({});
  const named = [addressOf(2), addressOf(3)].map((account) => ({ address: account, role: AccountRole.READONLY }));
  const larger = { ...plain, swap: [{ programAddress: addressOf(1), accounts: named }] };

  it.each([
    ['more for a unit', routeOf({ inBase: 999_000n }, 3)],
    ['fewer accounts to make', larger, routeOf({ outBase: 150_010_000n }, 1)],
    ['fewer accounts to name', plain, larger],
    ['fewer pools', plain, routeOf({ labels: ['Whirlpool', 'Phoenix'] })],
    ['a newer slot', routeOf({ contextSlot: 7n }), routeOf({ contextSlot: 6n })],
    ['a hair more', routeOf({ outBase: 150_010_000n })],
  ])('puts first what has %s', (_words, first, second = plain) => {
    expect(compareRoutes(first, second)).toBeLessThan(0);
    expect(compareRoutes(second, first)).toBeGreaterThan(0);
  });
});

describe('the ladder', () => {
  it('begins with as many accounts as are left', async () => {
    for (const [accountsLeft, maxAccounts] of [
      [80, '64'],
      [40, '34'],
      [3, '12'],
    ] as const) {
      const { finder, calls } = makeFinder({ dflow: null });
      await finder.find(makeRequest({ accountsLeft }));
      expect(calls[0]?.query.maxAccounts).toBe(maxAccounts);
    }
  });

  it('asks for tighter routes until one fits, and says what that costs', async () => {
    const { finder, calls } = makeFinder({ jupiter: routing, dflow: null });
    const found = await finder.find(makeRequest({ accountsLeft: 70, fit: roomFor(36) }));
    expect([...new Set(calls.map(({ query }) => query.maxAccounts))]).toEqual(['64', '40', '30', '24']);
    expect(accountsOf(found.route)).toBe(34);
    expect(found.lossBps).toBe(16);
    expect(found.tried.map(({ outcome, reason }) => [outcome, reason])).toEqual([
      ['refused', 'too_large'],
      ['refused', 'too_large'],
      ['refused', 'too_large'],
      ['chosen', null],
    ]);
  });

  it('takes the runner-up that fits before anything tighter', async () => {
    const { finder, calls } = makeFinder({ jupiter: { poolAccounts: 30 }, dflow: { lossPpm: 700n } });
    const found = await finder.find(makeRequest({ fit: roomFor(20) }));
    expect(found.route.quote.aggregator).toBe('dflow');
    expect(found.lossBps).toBe(7);
    expect(new Set(calls.map(({ query }) => query.maxAccounts))).toEqual(new Set(['34', undefined]));
  });

  it('shortens the routes of who counts pools', async () => {
    const { finder, calls } = makeFinder({ jupiter: null, dflow: routing });
    const found = await finder.find(makeRequest({ fit: roomFor(20) }));
    const asked = calls.map(({ query }) => query.maxRouteLength ?? query.onlyDirectRoutes).filter(Boolean);
    expect([...new Set(asked)]).toEqual(['2', 'true']);
    expect(found.lossBps).toBe(40);
    expect(accountsOf(found.route)).toBe(20);
  });

  it('ends with why the tightest plan did not fit', async () => {
    const { finder } = makeFinder({ jupiter: routing, dflow: routing });
    await expect(finder.find(makeRequest({ fit: roomFor(5) }))).rejects.toThrow('22 accounts of 5');
  });
});

describe('bundles', () => {
  it('asks again without venues that do not work in them', async () => {
    const { finder, calls } = makeFinder({ dflow: null });
    const fitted: SwapRoute[] = [];
    const fit: SwapRequest['fit'] = (route) => {
      fitted.push(route);
      return roomFor(64, 'bundle')(route);
    };
    const { route, tried } = await finder.find(makeRequest({ fit }));
    expect(calls.at(-1)?.query.forJitoBundle).toBe('true');
    expect(calls.slice(0, -1).some(({ query }) => 'forJitoBundle' in query)).toBe(false);
    // Who puts plans together must have seen the one that is chosen.
    expect(fitted.at(-1)).toBe(route);
    expect(tried).toHaveLength(1);
  });

  it.each([
    [900n, 'dflow'],
    [1_200n, 'jupiter'],
  ])('are not taken where one transaction does and costs little: %d ppm', async (lossPpm, chosen) => {
    const { finder } = makeFinder({ jupiter: { poolAccounts: 30 }, dflow: { lossPpm } });
    const fit = async (route: SwapRoute): Promise<SwapFit> =>
      (await roomFor(20)(route)).kind === 'fits'
        ? { kind: 'fits', submit: 'sequential' }
        : { kind: 'fits', submit: 'bundle' };
    const { route } = await finder.find(makeRequest({ fit }));
    expect(route.quote.aggregator).toBe(chosen);
  });

  it('fall back on the other aggregator where nothing is left for them', async () => {
    const { finder } = makeFinder({
      jupiter: {
        answer: ({ query }) => (query.forJitoBundle ? json({ error: 'No routes found' }, { status: 400 }) : undefined),
      },
      dflow: { lossPpm: 3_000n },
    });
    const { route, tried } = await finder.find(makeRequest({ fit: roomFor(64, 'bundle') }));
    expect(route.quote.aggregator).toBe('dflow');
    expect(tried).toContainEqual({
      aggregator: 'jupiter',
      outcome: 'failed',
      reason: 'no_route',
      inBase: null,
      outBase: null,
    });
  });
});

describe('a plan that was built before', () => {
  const pinned = { aggregator: 'dflow', inBase: 1_005_200n } as const;

  it.each([
    ['more than there is', { maxInBase: 1_005_199n }],
    ['far more than is needed now', { inBase: 505_000n, neededOut: 75_000_000n }],
  ])('is not asked for where it would be %s', async (_, changes) => {
    const { finder, calls } = makeFinder();
    const { route } = await finder.find(makeRequest({ pinned, ...changes }));
    expect(route.quote.inBase).toBeLessThan(pinned.inBase);
    expect(calls.map(({ query }) => query.amount)).not.toContain(`${pinned.inBase}`);
  });

  it('asks for what it took, and nobody else', async () => {
    const { finder, calls } = makeFinder({ dflow: { lossPpm: 100n } });
    const { route, tried } = await finder.find(makeRequest({ pinned }));
    expect(route.quote).toMatchObject(pinned);
    expect(new Set(calls.map(({ aggregator }) => aggregator))).toEqual(new Set(['dflow']));
    expect(tried).toHaveLength(1);
  });

  it('asks everybody where that does not do any more', async () => {
    const { finder } = makeFinder({ dflow: { lossPpm: 5_000n } });
    const { route, tried } = await finder.find(makeRequest({ pinned }));
    expect(route.quote.aggregator).toBe('jupiter');
    expect(tried[0]).toMatchObject({ aggregator: 'dflow', outcome: 'refused', reason: 'below_needed' });
  });
});

describe('time', () => {
  /** Answers when it is given up on, as a host does that hangs. */
  const hanging: MadeAggregator = { answer: () => new Promise(() => {}) };

  it('waits for nobody beyond the deadline', async () => {
    const { finder } = makeFinder({ jupiter: hanging, dflow: hanging }, { deadlineMs: 60, fetch: hangingFetch });
    await expect(finder.find(makeRequest())).rejects.toMatchObject({ code: 'SWAP__UNAVAILABLE' });
  });

  it('waits for the slower one only so long once there is a swap', async () => {
    const world = makeFinder();
    const { finder } = makeFinder(
      {},
      {
        deadlineMs: 60_000,
        patienceMs: 30,
        fetch: (url, init) => (url.startsWith('https://dflow') ? hangingFetch(url, init) : world.fetch(url, init)),
      },
    );
    const { route, tried } = await finder.find(makeRequest());
    expect(route.quote.aggregator).toBe('jupiter');
    expect(tried).toContainEqual({
      aggregator: 'dflow',
      outcome: 'failed',
      reason: 'timed_out',
      inBase: null,
      outBase: null,
    });
  });

  it('ends when its caller gives up, with the caller’s own reason', async () => {
    const caller = new AbortController();
    const { finder } = makeFinder({}, { fetch: hangingFetch });
    const found = finder.find(makeRequest({ signal: caller.signal }));
    caller.abort(new Error('the caller hung up'));
    await expect(found).rejects.toThrow('the caller hung up');
  });
});

function hangingFetch(_url: string, { signal }: RequestInit): Promise<Response> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

describe('keys and limits', () => {
  const LIMITED = { headers: { 'x-ratelimit-reset': '1790000010' }, status: 429 };

  it('sends a caller’s own keys, else the service’s, each to its own aggregator', async () => {
    const { finder, calls } = makeFinder({}, { keys: { jupiter: 'own-1', dflow: 'own-2' } });
    await finder.find(makeRequest({ keys: { jupiter: 'caller-1', dflow: null } }));
    const keys = new Set(calls.map(({ aggregator, key }) => `${aggregator} ${key}`));
    expect(keys).toEqual(new Set(['jupiter caller-1', 'dflow own-2']));
  });

  it('leaves a key alone until its limit frees, and no other', async () => {
    const limited = new Set(['caller-1']);
    const world = makeFinder({
      dflow: null,
      jupiter: { answer: ({ key }) => (limited.has(key ?? '') ? json({}, LIMITED) : undefined) },
    });
    const findWith = (jupiter: string | null) => world.finder.find(makeRequest({ keys: { jupiter, dflow: null } }));
    await expect(findWith('caller-1')).rejects.toMatchObject({ context: { retry_after_s: 10 } });
    world.time += 4_000;
    await expect(findWith('caller-1')).rejects.toMatchObject({ context: { retry_after_s: 6 } });
    expect(world.calls).toHaveLength(1);
    await findWith('caller-2');
    await findWith(null);
    world.time += 6_000;
    limited.clear();
    await findWith('caller-1');
  });

  it('keeps an offer that was made before its limit was reached', async () => {
    let asked = 0;
    const { finder } = makeFinder({
      dflow: null,
      jupiter: { answer: () => (++asked > 1 ? json({}, LIMITED) : undefined) },
    });
    const { route } = await finder.find(makeRequest({ inBase: 2_000_000n }));
    expect(route.quote.inBase).toBe(2_000_000n);
  });

  it('tells nobody a key, not even one that no header takes', async () => {
    for (const key of ['jup_secret_key', 'secret\nkey', 'sécrét', `secret${'x'.repeat(600)}`]) {
      const world = makeFinder({ jupiter: { answer: () => json({ error: 'x' }, { status: 401 }) }, dflow: null });
      const error: unknown = await world.finder
        .find(makeRequest({ keys: { jupiter: key, dflow: null } }))
        .catch((caught: unknown) => caught);
      const told = JSON.stringify([
        error,
        (error as Error).message,
        (error as { context: unknown }).context,
        world.notices,
      ]);
      expect(error).toMatchObject({ code: 'SWAP__UNAVAILABLE', context: { tried: [{ reason: 'key_refused' }] } });
      expect(told).not.toMatch(/secret|sécrét/);
    }
  });

  it('tells nobody a key of the service, whatever an aggregator says of it', async () => {
    const keys = { jupiter: 'service_secret', dflow: null };
    // Nor half of it, where what is said is cut off.
    const SHOWN = `${'x'.repeat(60)}(hid`;
    const saying = (more: object) => (_: unknown, own: () => unknown) =>
      json({ ...(own() as object), requestId: `${'x'.repeat(60)}service_secret`, ...more });
    const refusing = makeFinder({ jupiter: { answer: saying({ priceImpactPct: '0.5' }) }, dflow: null }, { keys });
    await expect(refusing.finder.find(makeRequest())).rejects.toMatchObject({ code: 'ACTION__SWAP_UNAVAILABLE' });
    expect(refusing.notices).toMatchObject([{ reason: 'price_impact', requestId: SHOWN }]);
    // Of a swap that does not do what it says callers are told it.
    const { finder } = makeFinder({ jupiter: { answer: saying({}) }, dflow: null }, { keys });
    expect((await finder.find(makeRequest())).route.quote.requestId).toBe(SHOWN);
  });

  it('does not ask DFlow’s production without a key', async () => {
    const world = makeFinder({ jupiter: null }, { urls: { jupiter: null, dflow: 'https://quote-api.dflow.net' } });
    await expect(world.finder.find(makeRequest())).rejects.toMatchObject({
      message: expect.stringMatching(
        /^No aggregator of swaps answers: DFlow is asked with a key only, and there is none — allowed: /,
      ),
    });
    expect(world.calls).toEqual([]);
  });
});

/** A swap of one for one whose minimum is half a per cent below the quote, rounded down. */
const oneForOne = async (inBase: bigint): Promise<Attempt> => ({
  kind: 'candidate',
  route: {
    quote: {
      ...{ aggregator: 'jupiter', inBase, outBase: inBase, minOutBase: (inBase * 9_950n) / 10_000n },
      ...{ slippageBps: 50, priceImpactE18: null, fee: null, contextSlot: null, labels: [], requestId: null },
    },
    setup: [],
    swap: [],
    lookupTables: [],
  },
});

describe('sizeRoute', () => {
  it.each([1n, 2n, 3n, 10n, 1_000n, 10n ** 15n])('finds what covers %s units', async (neededOut) => {
    const found = await sizeRoute(oneForOne, makeRequest({ neededOut, maxInBase: null }), neededOut);
    expect(found).toMatchObject({ kind: 'candidate' });
    if (found.kind === 'candidate') expect(found.route.quote.minOutBase).toBeGreaterThanOrEqual(neededOut);
  });

  it('gives no more than there is', async () => {
    const found = await sizeRoute(oneForOne, makeRequest({ neededOut: 1n, maxInBase: 1n }), 1n);
    expect(found).toMatchObject({ kind: 'refused', reason: 'below_needed' });
  });
});
