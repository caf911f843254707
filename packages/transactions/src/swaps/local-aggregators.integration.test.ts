import { type AggregatorFault, DEMO_TOKENS, type OpenedLocalnet, openLocalnet, SWAP_PROGRAM } from '@lending/localnet';
import { findAssociatedTokenAccount } from '@lending/programs';
import type { Address } from '@solana/kit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { addressOf } from '#compile/testing-instructions.ts';
import { createSwapFinder, type SwapFinderOptions } from './create-swap-finder.ts';
import { createSwapQuoter } from './create-swap-quoter.ts';
import type { SwapRequest } from './swap-finder.ts';
import type { SwapFailure, SwapRefusal } from './swap-reasons.ts';
import type { AggregatorName } from './swap-route.ts';
import { makeRequest } from './testing/made-aggregators.ts';

const NAMES = ['jupiter', 'dflow'] as const;
const TAKER = addressOf(103);
const { mint: IN_MINT } = DEMO_TOKENS.USDC;
const { mint: OUT_MINT } = DEMO_TOKENS.JitoSOL;
const IN_BASE = 1_000_000_000n;

interface Quoted {
  readonly outAmount: string;
  readonly contextSlot: number;
}

let node: OpenedLocalnet;
let source: Address;
let destination: Address;
/** What an honest quote gives for `IN_BASE`. */
let honest: bigint;
let slot: bigint;
beforeAll(async () => {
  node = await openLocalnet({ genesis: { kind: 'demo' }, slotMs: null });
  await node.start();
  [source] = await findAssociatedTokenAccount(TAKER, IN_MINT);
  [destination] = await findAssociatedTokenAccount(TAKER, OUT_MINT);
  const asked = new URLSearchParams({ inputMint: IN_MINT, outputMint: OUT_MINT, amount: `${IN_BASE}` });
  const quote = (await (await fetch(`${node.aggregatorUrls?.dflow}/quote?${asked}`)).json()) as Quoted;
  honest = BigInt(quote.outAmount);
  slot = BigInt(quote.contextSlot);
});
afterAll(() => node.stop());
afterEach(() => {
  for (const name of NAMES) node.setAggregatorFault(name, null);
});

function finderOf(only: AggregatorName | null, options: Partial<SwapFinderOptions> = {}) {
  const { jupiter, dflow } = node.aggregatorUrls ?? { jupiter: '', dflow: '' };
  return createSwapFinder({
    urls: { jupiter: only === 'dflow' ? null : jupiter, dflow: only === 'jupiter' ? null : dflow },
    keys: { jupiter: null, dflow: null },
    swapPrograms: [SWAP_PROGRAM],
    ...options,
  });
}

function requestOf(changes: Partial<SwapRequest> = {}): SwapRequest {
  return makeRequest({
    inMint: IN_MINT,
    outMint: OUT_MINT,
    taker: TAKER,
    source,
    destination,
    neededOut: (honest * 99n) / 100n,
    inBase: IN_BASE,
    fairOut: (inBase) => (inBase * honest) / IN_BASE,
    slot,
    accountsLeft: 64,
    ...changes,
  });
}

/** What the finder says of one aggregator with a fault; null where it takes what it offers. */
async function reasonOf(name: AggregatorName, fault: AggregatorFault, request: Partial<SwapRequest> = {}) {
  node.setAggregatorFault(name, fault);
  return finderOf(name, { deadlineMs: 1_500 })
    .find(requestOf(request))
    .then(
      () => null,
      (error: { context: { tried: readonly { reason: string }[] } }) => error.context.tried[0]?.reason,
    );
}

const STRANGER = addressOf(666);

const FAULTS: readonly [SwapRefusal | SwapFailure | null, AggregatorFault, Partial<SwapRequest>?][] = [
  ['unreachable', { kind: 'down' }],
  ['timed_out', { kind: 'hanging' }],
  ['timed_out', { kind: 'slow', delayMs: 20_000 }],
  ['server_error', { kind: 'status', status: 500 }],
  ['server_error', { kind: 'status', status: 503, step: 'quote' }],
  ['rate_limited', { kind: 'rate_limited', resetInSeconds: 3 }],
  ['key_refused', { kind: 'unknown_key' }, { keys: { jupiter: 'of-a-caller', dflow: 'of-a-caller' } }],
  ['no_route', { kind: 'no_route' }],
  ['malformed_answer', { kind: 'garbage' }],
  ['malformed_answer', { kind: 'other_body', body: { inAmount: 1 } }],
  ['unreachable', { kind: 'large_body', bytes: 2_000_000 }],
  ['wrong_pair', { kind: 'other_pair' }],
  ['wrong_amount', { kind: 'other_amount' }],
  ['wrong_slippage', { kind: 'other_slippage' }],
  ['wrong_slippage', { kind: 'low_threshold' }],
  ['price_impact', { kind: 'high_impact', bps: 101 }],
  ['oracle_deviation', { kind: 'price_shift', bps: 400 }],
  ['oracle_deviation', { kind: 'price_shift', bps: -400 }],
  ['unknown_program', { kind: 'unknown_program' }],
  ['foreign_signer', { kind: 'foreign_signer' }],
  ['protected_account', { kind: 'extra_writable', account: STRANGER }, { protectedAccounts: new Set([STRANGER]) }],
  ['wrong_source', { kind: 'other_source', account: STRANGER }],
  ['wrong_destination', { kind: 'drained_output' }],
  ['unexpected_instruction', { kind: 'drained_before' }],
  ['unexpected_instruction', { kind: 'approved_thief' }],
  ['unexpected_instruction', { kind: 'drained_after' }],
  ['too_many_accounts', { kind: 'many_accounts', count: 70 }],
  // Nobody believes what it says of its table: contents are read from the chain.
  [null, { kind: 'lying_table' }],
  [null, { kind: 'missing_table' }],
];

describe.each(NAMES)('the local chain’s double of %s', (name) => {
  it('offers swaps that cover what is needed', async () => {
    const request = requestOf();
    const { route, tried } = await finderOf(name).find(request);
    expect(route.quote.aggregator).toBe(name);
    expect(route.quote.minOutBase).toBeGreaterThanOrEqual(request.neededOut);
    expect(route.swap[0]?.programAddress).toBe(SWAP_PROGRAM);
    expect(route.setup).toEqual([]);
    expect(route.lookupTables).toHaveLength(1);
    expect(tried).toHaveLength(1);
  });

  it.each(FAULTS)('%s: %j', async (reason, fault, request) => {
    expect(await reasonOf(name, fault, request)).toBe(reason);
  });

  it('is survived by the other', async () => {
    const other = name === 'jupiter' ? 'dflow' : 'jupiter';
    for (const fault of [{ kind: 'down' }, { kind: 'drained_output' }, { kind: 'hanging' }] as const) {
      node.setAggregatorFault(name, fault);
      const { route, tried } = await finderOf(null, { patienceMs: 200 }).find(requestOf());
      expect(route.quote.aggregator).toBe(other);
      expect(tried.map(({ aggregator }) => aggregator)).toEqual([name, other]);
    }
  });
});

it('quotes without a wallet what a swap with one gives', async () => {
  const { jupiter, dflow } = node.aggregatorUrls ?? { jupiter: '', dflow: '' };
  const quoter = createSwapQuoter({ urls: { jupiter, dflow }, keys: { jupiter: null, dflow: null } });
  const size = { inMint: IN_MINT, outMint: OUT_MINT, inBase: IN_BASE, mostOutBase: 2n * honest };
  const { quoted, ...others } = await quoter.ask(size, AbortSignal.timeout(5_000));
  expect(others).toEqual({ noRoute: [], refused: [], failed: [] });
  const { route } = await finderOf(null).find(
    requestOf({ pinned: { aggregator: quoted[0]?.aggregator ?? 'jupiter', inBase: IN_BASE } }),
  );
  expect(quoted).toHaveLength(2);
  expect(quoted[0]).toEqual({ aggregator: route.quote.aggregator, outBase: route.quote.outBase });
});

it('takes the better of both', async () => {
  const { route, tried } = await finderOf(null).find(requestOf());
  const beaten = tried.find(({ outcome }) => outcome === 'beaten');
  expect(beaten?.aggregator).not.toBe(route.quote.aggregator);
});

it('refuses a quote of half a minute ago, where the aggregator says how old it is', async () => {
  const later = { slot: slot + 50n };
  expect(await reasonOf('dflow', { kind: 'old_slot', slots: 51 }, later)).toBe('stale_quote');
  expect(await reasonOf('dflow', { kind: 'old_slot', slots: 50 }, later)).toBeNull();
});
