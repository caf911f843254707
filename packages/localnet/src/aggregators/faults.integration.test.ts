import { AccountRole, type Address, type Instruction } from '@solana/kit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { tokenAccountOf } from '#market/lending-instructions.ts';
import { DEMO_TOKENS } from '#market/tokens.ts';
import { DEMO_WALLETS } from '#market/wallets.ts';
import { SWAP_PROGRAM } from '#programs/swap/swap-pool.ts';
import type { AggregatorFault } from './aggregator-fault.ts';
import { AGGREGATOR_NAMES, type AggregatorName } from './aggregator-name.ts';
import { THIEF } from './bend-instructions.ts';
import type { TestAnswer } from './testing/ask-aggregator.ts';
import { openSwapWorld, type SwapWorld } from './testing/swap-world.ts';

const ORDER = { inMint: DEMO_TOKENS.USDC.mint, outMint: DEMO_TOKENS.JitoSOL.mint, inBase: 1_000_000_000n };
const FOREIGN = DEMO_WALLETS[0]?.address as Address;

let world: SwapWorld;
beforeAll(async () => {
  world = await openSwapWorld();
});
afterAll(() => world.node.stop());
beforeEach(() => world.refill());
afterEach(() => {
  for (const name of AGGREGATOR_NAMES) world.node.setAggregatorFault(name, null);
});

function ask(name: AggregatorName, fault: AggregatorFault | null): Promise<TestAnswer> {
  world.node.setAggregatorFault(name, fault);
  return world.ask(name, ORDER);
}

/** The first request of an order, as it comes over the wire. */
function fetchQuote(name: AggregatorName, headers: Readonly<Record<string, string>> = {}, timeoutMs = 5_000) {
  const pair = { inputMint: ORDER.inMint, outputMint: ORDER.outMint, amount: `${ORDER.inBase}`, taker: world.wallet };
  const path = name === 'jupiter' ? '/swap/v2/build' : '/quote';
  const signal = AbortSignal.timeout(timeoutMs);
  return fetch(`${world.urlOf(name)}${path}?${new URLSearchParams(pair)}`, { headers, signal });
}

function accountsOf({ accounts = [] }: Instruction, role: AccountRole): readonly Address[] {
  return accounts.filter((account) => account.role === role).map(({ address }) => address);
}

function signers({ swap, setup }: TestAnswer): ReadonlySet<Address> {
  const all = [swap, ...setup].flatMap((instruction) => [
    ...accountsOf(instruction, AccountRole.READONLY_SIGNER),
    ...accountsOf(instruction, AccountRole.WRITABLE_SIGNER),
  ]);
  return new Set(all);
}

describe.each(AGGREGATOR_NAMES)('%s on the wire', (name) => {
  it('drops connections, and answers again after it', async () => {
    world.node.setAggregatorFault(name, { kind: 'down' });
    await expect(fetchQuote(name)).rejects.toThrow('fetch failed');
    world.node.setAggregatorFault(name, null);
    expect((await fetchQuote(name)).status).toBe(200);
  });

  it('waits before it answers, or never ends its answer', async () => {
    world.node.setAggregatorFault(name, { kind: 'slow', delayMs: 150 });
    const startMs = performance.now();
    expect((await fetchQuote(name)).status).toBe(200);
    expect(performance.now() - startMs).toBeGreaterThan(140);
    world.node.setAggregatorFault(name, { kind: 'hanging' });
    const unfinished = await fetchQuote(name, {}, 200);
    await expect(unfinished.text()).rejects.toThrow(/timeout|abort/i);
  });

  it('fails with a status, has no route, or refuses a key', async () => {
    world.node.setAggregatorFault(name, { kind: 'status', status: 503 });
    expect((await fetchQuote(name)).status).toBe(503);
    world.node.setAggregatorFault(name, { kind: 'no_route' });
    const none = await fetchQuote(name);
    expect([none.status, await none.json()]).toEqual([
      400,
      name === 'jupiter' ? { error: 'No routes found' } : { code: 'route_not_found', msg: 'No routes found' },
    ]);
    world.node.setAggregatorFault(name, { kind: 'unknown_key' });
    expect((await fetchQuote(name)).status).toBe(200);
    expect((await fetchQuote(name, { 'x-api-key': 'nobody' })).status).toBe(401);
  });

  it('refuses too many requests, of all or of one key', async () => {
    world.node.setAggregatorFault(name, { kind: 'rate_limited', resetInSeconds: 30 });
    const askedS = Date.now() / 1_000;
    const refused = await fetchQuote(name);
    expect(refused.status).toBe(429);
    const reset = Number(refused.headers.get('x-ratelimit-reset'));
    if (name === 'jupiter') expect(reset - askedS).toBeGreaterThan(28);
    world.node.setAggregatorFault(name, { kind: 'rate_limited', resetInSeconds: 30, apiKey: 'busy' });
    expect((await fetchQuote(name, { 'x-api-key': 'busy' })).status).toBe(429);
    expect((await fetchQuote(name)).status).toBe(200);
  });

  it('answers with what is no answer', async () => {
    world.node.setAggregatorFault(name, { kind: 'garbage' });
    expect(await (await fetchQuote(name)).text()).toMatch(/^<!doctype/);
    world.node.setAggregatorFault(name, { kind: 'other_body', body: { outAmount: -1 } });
    expect(await (await fetchQuote(name)).json()).toEqual({ outAmount: -1 });
    world.node.setAggregatorFault(name, { kind: 'large_body', bytes: 3_000_000 });
    expect((await (await fetchQuote(name)).text()).length).toBeGreaterThan(3_000_000);
  });
});

it('fails in the second of two steps alone', async () => {
  world.node.setAggregatorFault('dflow', { kind: 'status', status: 500, step: 'instructions' });
  expect((await fetchQuote('dflow')).status).toBe(200);
  await expect(world.ask('dflow', ORDER)).rejects.toThrow('500');
});

describe.each(AGGREGATOR_NAMES)('hostile quotes of %s', (name) => {
  it('sells the input for another token', async () => {
    const { swap } = await ask(name, { kind: 'other_pair' });
    expect(swap.accounts?.[8]?.address).toBe(DEMO_TOKENS.USDT.mint);
  });

  it('takes twice the input', async () => {
    const { swap } = await ask(name, { kind: 'other_amount' });
    const before = world.held('USDC');
    await world.submit([...(await ask(name, null)).setup, swap]);
    expect(before - world.held('USDC')).toBe(2n * ORDER.inBase);
  });

  it('promises more than it gives', async () => {
    const [honest, inflated] = [await ask(name, null), await ask(name, { kind: 'price_shift', bps: 1_000 })];
    expect(inflated.outBase).toBe((honest.outBase * 11n) / 10n);
    expect(await world.submit([...inflated.setup, inflated.swap])).toMatchObject({
      result: { error: { InstructionError: [2, { Custom: 6001 }] } },
    });
  });

  it('allows itself what was not allowed, and says that size costs', async () => {
    const { outBase, minOutBase } = await ask(name, { kind: 'other_slippage' });
    expect(minOutBase).toBe(outBase / 2n);
    expect((await ask(name, { kind: 'low_threshold' })).minOutBase).toBe(1n);
    expect((await ask(name, { kind: 'high_impact', bps: 1_250 })).priceImpactPct).toBe('0.125');
  });
});

it('tells a slot of long ago', async () => {
  const contextSlot = async () => ((await (await fetchQuote('dflow')).json()) as { contextSlot: number }).contextSlot;
  const now = await contextSlot();
  world.node.setAggregatorFault('dflow', { kind: 'old_slot', slots: 5_000 });
  expect(await contextSlot()).toBe(now - 5_000);
});

describe.each(AGGREGATOR_NAMES)('hostile instructions of %s', (name) => {
  it('names a program that nobody knows', async () => {
    expect((await ask(name, null)).swap.programAddress).toBe(SWAP_PROGRAM);
    expect((await ask(name, { kind: 'unknown_program' })).swap.programAddress).not.toBe(SWAP_PROGRAM);
  });

  it('wants another signature', async () => {
    expect(signers(await ask(name, null))).toEqual(new Set([world.wallet]));
    expect(signers(await ask(name, { kind: 'foreign_signer' }))).toEqual(new Set([world.wallet, THIEF]));
  });

  it('may write one more account, and runs', async () => {
    const account = tokenAccountOf(world.wallet, DEMO_TOKENS.mSOL);
    const { setup, swap } = await ask(name, { kind: 'extra_writable', account });
    expect(accountsOf(swap, AccountRole.WRITABLE)).toContain(account);
    expect(await world.submit([...setup, swap])).toMatchObject({ result: { error: null } });
  });

  it('takes from another account', async () => {
    const account = tokenAccountOf(FOREIGN, DEMO_TOKENS.USDC);
    const { setup, swap } = await ask(name, { kind: 'other_source', account });
    expect(swap.accounts?.[1]?.address).toBe(account);
    expect(await world.submit([...setup, swap])).toMatchObject({ result: { error: expect.anything() } });
  });

  it('sends the output to a thief, in the swap or after it', async () => {
    const account = tokenAccountOf(THIEF, DEMO_TOKENS.JitoSOL);
    const drained = await ask(name, { kind: 'drained_output' });
    expect(drained.swap.accounts?.[2]?.address).toBe(account);
    const after = await ask(name, { kind: 'drained_after' });
    expect(after.other.flatMap((one) => accountsOf(one, AccountRole.WRITABLE))).toContain(account);
  });

  it('pays a thief before the swap, or lets him spend', async () => {
    const paid = await ask(name, { kind: 'drained_before' });
    expect(paid.setup).toHaveLength(3);
    const before = world.node.ledger.account(THIEF)?.lamports ?? 0n;
    expect(await world.submit([...paid.setup, paid.swap])).toMatchObject({ result: { error: null } });
    expect((world.node.ledger.account(THIEF)?.lamports ?? 0n) - before).toBe(1_000_000n);
    const approved = await ask(name, { kind: 'approved_thief' });
    expect(await world.submit([...approved.setup, approved.swap])).toMatchObject({ result: { error: null } });
  });

  it('names many accounts', async () => {
    expect((await ask(name, { kind: 'many_accounts', count: 70 })).swap.accounts).toHaveLength(70);
  });

  it('names a lookup table that does not exist', async () => {
    const { tables } = await ask(name, { kind: 'missing_table' });
    expect(tables.map((table) => world.node.ledger.account(table) !== undefined)).toEqual([true, false]);
  });

  it('takes more than it says, and gives less, while it runs', async () => {
    const more = await ask(name, { kind: 'takes_more', percent: 150 });
    const before = world.held('USDC');
    expect(await world.submit([...more.setup, more.swap])).toMatchObject({ result: { error: null } });
    expect(before - world.held('USDC')).toBe((ORDER.inBase * 3n) / 2n);
    const less = await ask(name, { kind: 'gives_less', bps: 500 });
    const held = world.held('JitoSOL');
    expect(await world.submit([...less.setup, less.swap])).toMatchObject({ result: { error: null } });
    expect(world.held('JitoSOL') - held).toBeLessThan(less.minOutBase);
  });
});

it('says another order of its lookup table than the chain has', async () => {
  const tableOf = async () => {
    const { addressesByLookupTableAddress } = (await (await fetchQuote('jupiter')).json()) as {
      addressesByLookupTableAddress: Readonly<Record<string, readonly string[]>>;
    };
    return Object.values(addressesByLookupTableAddress)[0];
  };
  const honest = await tableOf();
  world.node.setAggregatorFault('jupiter', { kind: 'lying_table' });
  expect(await tableOf()).toEqual(honest?.toReversed());
});
