import { WRAPPED_SOL_MINT } from '@lending/programs';
import type { Address } from '@solana/kit';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { tokenAccountOf } from '#market/lending-instructions.ts';
import { SWAP_LOOKUP_TABLE } from '#market/swap-table.ts';
import { DEMO_TOKENS, type DemoTokenName } from '#market/tokens.ts';
import { fundWallet } from '#market/wallet-accounts.ts';
import { AGGREGATOR_NAMES, type AggregatorName } from './aggregator-name.ts';
import { cheaperOf } from './find-route.ts';
import { openSwapWorld, type SwapWorld } from './testing/swap-world.ts';

let world: SwapWorld;
beforeAll(async () => {
  world = await openSwapWorld();
});
afterAll(() => world.node.stop());
beforeEach(() => world.refill());

function mintOf(name: DemoTokenName): Address {
  return DEMO_TOKENS[name].mint;
}

describe.each(AGGREGATOR_NAMES)('the double of %s', (name) => {
  it.each([
    ['USDC', 'JitoSOL', 1_000_000_000_000n],
    ['JitoSOL', 'SOL', 300_000_000_000n],
    ['SOL', 'USDC', 40_000_000_000n],
    ['PYUSD', 'USDT', 900_000_000n],
    ['USDC', 'LEVY', 50_000_000n],
    ['LEVY', 'USDC', 70_000_000n],
  ] as const)('gives for %s exactly the %s that it quoted', async (inName, outName, inBase) => {
    const answer = await world.ask(name, { inMint: mintOf(inName), outMint: mintOf(outName), inBase });
    const before = [world.held(inName), world.held(outName)] as const;
    const outcome = await world.submit([...answer.setup, answer.swap, ...answer.cleanup]);
    expect(outcome).toMatchObject({ kind: 'executed', result: { error: null } });
    expect([world.held(inName) - before[0], world.held(outName) - before[1]]).toEqual([-inBase, answer.outBase]);
    expect(answer.minOutBase).toBe((answer.outBase * 9_950n) / 10_000n);
  });

  it('takes SOL out of the wallet and closes its account, unless told not to', async () => {
    const order = { inMint: WRAPPED_SOL_MINT, outMint: mintOf('USDC'), inBase: 2_000_000_000n };
    const kept = await world.ask(name, order);
    expect(kept.setup).toHaveLength(2);
    expect(kept.cleanup).toEqual([]);
    const { setup, swap, cleanup, outBase } = await world.ask(name, { ...order, wrapsSol: true });
    const before = world.held('USDC');
    expect(await world.submit([...setup, swap, ...cleanup])).toMatchObject({ result: { error: null } });
    expect(world.held('USDC') - before).toBe(outBase);
    expect(world.node.ledger.account(tokenAccountOf(world.wallet, DEMO_TOKENS.SOL))).toBeUndefined();
  });

  it('refuses what the pool does not hold, and what it does not trade', async () => {
    const order = { inMint: mintOf('USDC'), outMint: mintOf('ORCA'), inBase: 1_000_000n };
    await expect(world.ask(name, { ...order, outMint: world.wallet })).rejects.toThrow(/400 .*[Rr]oute/);
    await expect(world.ask(name, { ...order, outMint: mintOf('USDC') })).rejects.toThrow(/400 .*[Rr]oute/);
    await expect(world.ask(name, { ...order, inBase: 10n ** 19n })).rejects.toThrow(/400 .*[Rr]oute/);
    await expect(world.ask(name, { ...order, inBase: 0n })).rejects.toThrow(/400 .*amount/);
  });

  it('names one lookup table, which the chain has', async () => {
    const { tables } = await world.ask(name, { inMint: mintOf('USDC'), outMint: mintOf('SOL'), inBase: 1_000_000n });
    expect(tables).toEqual([SWAP_LOOKUP_TABLE]);
    expect(world.node.ledger.account(SWAP_LOOKUP_TABLE)).toBeDefined();
  });
});

it('quotes as Jupiter does without a taker what it builds with one', async () => {
  const order = { inMint: mintOf('USDC'), outMint: mintOf('JitoSOL'), inBase: 1_000_000_000n };
  const pair = { inputMint: order.inMint, outputMint: order.outMint, amount: `${order.inBase}` };
  const ask = (more: object) =>
    fetch(`${world.urlOf('jupiter')}/swap/v2/quote?${new URLSearchParams({ ...pair, ...more })}`);
  const quoted = await (await ask({ slippageBps: '50' })).json();
  const built = await world.ask('jupiter', order);
  expect(quoted).toMatchObject({
    inAmount: `${order.inBase}`,
    outAmount: `${built.outBase}`,
    priceImpactPct: built.priceImpactPct,
    contextSlot: Number(world.node.ledger.slot('processed')),
  });
  expect(quoted).not.toHaveProperty('swapInstruction');
  const none = await ask({ amount: `${2n ** 63n}` });
  expect([none.status, await none.json()]).toEqual([400, { error: 'No routes found' }]);
});

it('gives what it quoted for whatever is traded, to the unit', async () => {
  const names = Object.keys(DEMO_TOKENS) as DemoTokenName[];
  const order = fc.record({
    name: fc.constantFrom(...AGGREGATOR_NAMES),
    inName: fc.constantFrom(...names),
    outName: fc.constantFrom(...names),
    inBase: fc.bigInt({ min: 1n, max: 10n ** 9n }),
    more: fc.constantFrom({}, { forJitoBundle: 'true' }, { maxAccounts: '30', maxRouteLength: '2', slippageBps: '0' }),
  });
  let traded = 0;
  await fc.assert(
    fc.asyncProperty(order, async ({ name, inName, outName, inBase, more }) => {
      await fundWallet(world.node.ledger, world.wallet, { tokens: { [inName]: inBase } });
      const pair = { inMint: mintOf(inName), outMint: mintOf(outName) };
      const answer = await world.ask(name, { ...pair, inBase, more }).catch((error: Error) => error.message);
      // A token for itself, or less of one than a unit of the other: no route is the right answer.
      if (typeof answer === 'string') {
        expect(answer).toMatch(/400 .*[Rr]oute/);
        return;
      }
      traded += 1;
      const before = world.held(outName);
      const outcome = await world.submit([...answer.setup, answer.swap]);
      expect(outcome).toMatchObject({ kind: 'executed', result: { error: null } });
      expect([world.held(inName), world.held(outName) - before]).toEqual([0n, answer.outBase]);
    }),
    { numRuns: 80 },
  );
  expect(traded).toBeGreaterThan(40);
});

describe('what caps cost', () => {
  const order = { inMint: mintOf('USDC'), outMint: mintOf('JitoSOL'), inBase: 1_000_000_000n };
  const askWith = (name: AggregatorName, more: Readonly<Record<string, string>>) => world.ask(name, { ...order, more });

  it('gives less for fewer accounts, down to no route', async () => {
    const answers = await Promise.all(['64', '30', '20'].map((maxAccounts) => askWith('jupiter', { maxAccounts })));
    expect(answers.map(({ venues }) => venues)).toEqual([3, 2, 1]);
    expect(answers.map(({ swap }) => swap.accounts?.length)).toEqual([38, 28, 14]);
    const [most, some, least] = answers.map(({ outBase }) => outBase) as [bigint, bigint, bigint];
    expect(most > some && some > least).toBe(true);
    await expect(askWith('jupiter', { maxAccounts: '7' })).rejects.toThrow('No routes found');
  });

  it('gives less for shorter routes', async () => {
    const answers = await Promise.all(
      [{}, { maxRouteLength: '2' }, { onlyDirectRoutes: 'true' }].map((more) => askWith('dflow', more)),
    );
    expect(answers.map(({ venues }) => venues)).toEqual([3, 2, 1]);
    const [most, some, least] = answers.map(({ outBase }) => outBase) as [bigint, bigint, bigint];
    expect(most > some && some > least).toBe(true);
  });

  it.each(AGGREGATOR_NAMES)('lets %s leave out what does not work in bundles', async (name) => {
    const [alone, bundled] = [await askWith(name, {}), await askWith(name, { forJitoBundle: 'true' })];
    expect([alone.venues, bundled.venues]).toEqual([3, 2]);
  });

  it('lets either aggregator win, by the pair', async () => {
    const outs = ['JitoSOL', 'SOL', 'USDT', 'PYUSD', 'mSOL', 'cbBTC'] as const;
    const winners = await Promise.all(
      outs.map(async (out) => {
        const pair = { inMint: mintOf('USDC'), outMint: mintOf(out) };
        const [jupiter, dflow] = await Promise.all(
          AGGREGATOR_NAMES.map(async (name) => (await world.ask(name, { ...pair, inBase: 1_000_000_000n })).outBase),
        );
        expect(jupiter).not.toBe(dflow);
        const winner = (jupiter ?? 0n) > (dflow ?? 0n) ? 'jupiter' : 'dflow';
        expect(winner).toBe(cheaperOf(pair));
        return winner;
      }),
    );
    expect(new Set(winners).size).toBe(2);
  });
});

it('remembers what it was asked, with which key', async () => {
  const url = `${world.urlOf('dflow')}/quote?inputMint=x`;
  expect((await fetch(url, { headers: { 'x-api-key': 'of a caller' } })).status).toBe(400);
  await fetch(url);
  expect(world.node.aggregatorRequests('dflow').slice(-2)).toEqual([
    { aggregator: 'dflow', path: '/quote?inputMint=x', apiKey: 'of a caller' },
    { aggregator: 'dflow', path: '/quote?inputMint=x', apiKey: null },
  ]);
});

it('takes a quote back only as it gave it', async () => {
  const url = world.urlOf('dflow');
  const query = new URLSearchParams({ inputMint: mintOf('USDC'), outputMint: mintOf('SOL'), amount: '1000000' });
  const quote = (await (await fetch(`${url}/quote?${query}`)).json()) as Record<string, unknown>;
  const post = async (quoteResponse: unknown) => {
    const body = JSON.stringify({ userPublicKey: world.wallet, quoteResponse, wrapAndUnwrapSol: false });
    return (await fetch(`${url}/swap-instructions`, { method: 'POST', body })).status;
  };
  expect(await post(quote)).toBe(200);
  expect(await post({ ...quote, outAmount: '1' })).toBe(500);
  expect(await post({ ...quote, requestId: 'another' })).toBe(500);
  expect(await post('nothing')).toBe(400);
});
