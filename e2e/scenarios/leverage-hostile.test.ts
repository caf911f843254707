import { buildLeverage } from '@lending/api';
import { type AggregatorFault, type LocalAggregatorName, SWAP_PROGRAM } from '@lending/localnet';
import type { Address, KeyPairSigner } from '@solana/kit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDice } from '../src/builders/dice.ts';
import { landBuild } from '../src/builders/land-build.ts';
import { fund, makeAccount } from '../src/builders/made-wallet.ts';
import { baseWorth } from '../src/builders/worth.ts';
import { askClose, askLoop } from '../src/leverage/ask-leverage.ts';
import { attemptLeverage, type LeverageAttempt, landLeverage, PLAIN } from '../src/leverage/attempt-leverage.ts';
import { takeSnapshot } from '../src/leverage/leverage-promise.ts';
import { createSwaps, type LeverageWorld, openLeverageWorld } from '../src/leverage/leverage-world.ts';
import { movePrice } from '../src/leverage/move-price.ts';
import { findPair, PAIRS, type Pair } from '../src/leverage/pairs.ts';

const SOL = 1_000_000_000n;
const BOTH = ['jupiter', 'dflow'] as const;

const dice = createDice('leverage hostile');
let world: LeverageWorld;
let pair: Pair;
let wallet: KeyPairSigner;

/** Offers that have to be refused, with the check that refuses them, whoever makes them. */
const REFUSED: readonly (readonly [string, (scene: Scene) => AggregatorFault, string])[] = [
  ['another pair', () => ({ kind: 'other_pair' }), 'wrong_pair'],
  ['twice the input', () => ({ kind: 'other_amount' }), 'wrong_amount'],
  ['a slippage of a half', () => ({ kind: 'other_slippage' }), 'wrong_slippage'],
  ['a threshold of one unit', () => ({ kind: 'low_threshold' }), 'wrong_slippage'],
  ['a price impact of 2 %', () => ({ kind: 'high_impact', bps: 200 }), 'price_impact'],
  ['an inflated price', () => ({ kind: 'price_shift', bps: 500 }), 'oracle_deviation'],
  ['a price that is far too low', () => ({ kind: 'price_shift', bps: -500 }), 'oracle_deviation'],
  ['an unknown program', () => ({ kind: 'unknown_program' }), 'unknown_program'],
  ['a foreign signer', () => ({ kind: 'foreign_signer' }), 'foreign_signer'],
  ['a bank’s vault to write', ({ vault }) => ({ kind: 'extra_writable', account: vault }), 'protected_account'],
  ['another source', ({ thief }) => ({ kind: 'other_source', account: thief }), 'wrong_source'],
  ['an output that goes to a thief', () => ({ kind: 'drained_output' }), 'wrong_destination'],
  ['70 accounts', () => ({ kind: 'many_accounts', count: 70 }), 'too_many_accounts'],
  ['a transfer to a thief after the swap', () => ({ kind: 'drained_after' }), 'unexpected_instruction'],
  ['a lamport for a thief before the swap', () => ({ kind: 'drained_before' }), 'unexpected_instruction'],
  ['a thief who may spend the input', () => ({ kind: 'approved_thief' }), 'unexpected_instruction'],
];

/** What no bytes show: the simulation does, and what it found. */
const FOUND_BY_SIMULATION: readonly (readonly [string, AggregatorFault, string])[] = [
  ['a swap that takes more than it says', { kind: 'takes_more', percent: 150 }, 'source'],
  ['a swap that gives less than it says', { kind: 'gives_less', bps: 100 }, 'destination'],
];

/** Of a lookup table only its address is taken, and of that what the chain has there. */
const OF_NO_ACCOUNT: readonly (readonly [string, AggregatorFault])[] = [
  ['a lookup table that says what is not in it', { kind: 'lying_table' }],
  ['a lookup table that is none', { kind: 'missing_table' }],
];

const BROKEN: readonly (readonly [string, AggregatorFault])[] = [
  ['drops connections', { kind: 'down' }],
  ['takes far too long', { kind: 'slow', delayMs: 5_000 }],
  ['begins and never ends', { kind: 'hanging' }],
  ['has an error of its own', { kind: 'status', status: 500 }],
  ['limits its callers', { kind: 'rate_limited', resetInSeconds: 30 }],
  ['takes no key', { kind: 'unknown_key' }],
  ['knows no route', { kind: 'no_route' }],
  ['answers with a page', { kind: 'garbage' }],
  ['answers with something else', { kind: 'other_body', body: { swap: [null, 7] } }],
  ['answers with far too much', { kind: 'large_body', bytes: 5_000_000 }],
];

interface Scene {
  readonly vault: Address;
  readonly thief: Address;
}

describe('[leverage-hostile] aggregators that lie, steal or fail', () => {
  beforeAll(async () => {
    world = await openLeverageWorld();
    const named = PAIRS.find(({ name }) => name === 'SOL on dollars');
    if (named === undefined) throw new TypeError('There is such a pair');
    pair = findPair(world, named);
  });

  beforeEach(async () => {
    wallet = await dice.wallet();
    // More of both tokens than is asked for: what takes too much finds it.
    const tokens = [pair.deposit, pair.borrow].map((bank) => [bank, baseWorth(world.ledger, bank, 900)] as const);
    await fund(world.ledger, wallet, 20n * SOL, tokens);
  });

  afterEach(() => {
    for (const name of BOTH) world.localnet.setAggregatorFault(name, null);
  });

  afterAll(async () => {
    await world?.stop();
  });

  describe.each(REFUSED)('%s', (_, faultFor, reason) => {
    it.each(['loop', 'close'] as const)('is refused by name in a %s, and nothing is built', async (kind) => {
      const fault = await faultOf(faultFor);
      for (const name of BOTH) world.localnet.setAggregatorFault(name, fault);
      const attempted = await attemptLeverage(world, await attemptOf(kind));
      expect(attempted).toMatchObject({ kind: 'refused', code: 'SWAP_ROUTE_UNAVAILABLE' });
      const told = reasonsOf(attempted);
      for (const name of BOTH) expect(told.get(name), name).toBe(reason);
    });

    it.each(BOTH)('of %s is passed over for the other one', async (name) => {
      world.localnet.setAggregatorFault(name, await faultOf(faultFor));
      const { build } = await landLeverage(world, await attemptOf('loop'));
      expect(build.swap?.quote.aggregator).not.toBe(name);
      const tried = build.swap?.tried.find(({ aggregator }) => aggregator === name);
      expect(tried).toMatchObject({ outcome: 'refused', reason });
    });
  });

  it('refuses what DFlow knows of a chain long gone', async () => {
    world.localnet.setAggregatorFault('dflow', { kind: 'old_slot', slots: 2_000 });
    const { build } = await landLeverage(world, await attemptOf('loop'));
    expect(build.swap?.tried).toContainEqual(expect.objectContaining({ aggregator: 'dflow', reason: 'stale_quote' }));
  });

  describe.each(FOUND_BY_SIMULATION)('%s', (_, fault, check) => {
    it.each(['loop', 'close'] as const)('is found out by the simulation of a %s', async (kind) => {
      for (const name of BOTH) world.localnet.setAggregatorFault(name, fault);
      const attempted = await attemptLeverage(world, await attemptOf(kind));
      expect(attempted).toMatchObject({ kind: 'refused', code: 'SWAP_ROUTE_UNAVAILABLE', details: { check } });
    });

    it.each(BOTH)('of %s is passed over for the other one', async (name) => {
      world.localnet.setAggregatorFault(name, fault);
      const { build } = await landLeverage(world, await attemptOf('loop'));
      expect(build.swap?.quote.aggregator).not.toBe(name);
    });
  });

  it.each(['loop', 'close'] as const)(
    'a swap that gives too little is named, and passed over, in a %s of a wallet with nothing to spare',
    async (kind) => {
      const principal = baseWorth(world.ledger, pair.deposit, 300);
      await fund(world.ledger, wallet, principal + SOL, [
        [pair.deposit, null],
        [pair.borrow, null],
      ]);
      const fault = { kind: 'gives_less', bps: 100 } as const;
      for (const name of BOTH) world.localnet.setAggregatorFault(name, fault);
      const attempted = await attemptLeverage(world, await attemptOf(kind));
      expect(attempted).toMatchObject({
        kind: 'refused',
        code: 'SWAP_ROUTE_UNAVAILABLE',
        details: { check: 'destination' },
      });
      for (const name of BOTH) {
        for (const each of BOTH) world.localnet.setAggregatorFault(each, each === name ? fault : null);
        await fund(world.ledger, wallet, principal + SOL, [
          [pair.deposit, null],
          [pair.borrow, null],
        ]);
        const { build } = await landLeverage(world, await attemptOf(kind));
        expect(build.swap?.quote.aggregator).not.toBe(name);
      }
    },
  );

  it.each(['loop', 'close'] as const)(
    'a %s is not made up for with the wallet’s own tokens where the swap takes anything for enough',
    async (kind) => {
      for (const name of BOTH) world.localnet.setAggregatorFault(name, { kind: 'gives_less', bps: 0 });
      const { request, deps } = await attemptOf(kind);
      world.settle();
      const build = await buildLeverage({ ...world.deps, ...deps }, request, PLAIN);
      const before = takeSnapshot(world.ledger, wallet.address);
      // What is sold loses before it lands.
      const restore = movePrice(world, kind === 'loop' ? pair.borrow : pair.deposit, -300n);
      const { failure } = await landBuild(world.ledger, build, wallet);
      restore();
      expect(failure).not.toBeNull();
      expect(takeSnapshot(world.ledger, wallet.address).holders).toEqual(before.holders);
    },
  );

  it.each(OF_NO_ACCOUNT)('%s changes nothing', async (_, fault) => {
    for (const name of BOTH) world.localnet.setAggregatorFault(name, fault);
    for (const kind of ['loop', 'close'] as const) await landLeverage(world, await attemptOf(kind));
  });

  it.each(BROKEN)('one that %s is survived', async (_, fault) => {
    for (const name of BOTH) {
      for (const each of BOTH) world.localnet.setAggregatorFault(each, each === name ? fault : null);
      const { build } = await landLeverage(world, await attemptOf('loop'));
      expect(build.swap?.quote.aggregator).not.toBe(name);
    }
  });

  // Jupiter takes whoever brings no key.
  it.each(BROKEN.filter(([, { kind }]) => kind !== 'unknown_key'))(
    'two that each %s end in an error that says so',
    async (_, fault) => {
      for (const name of BOTH) world.localnet.setAggregatorFault(name, fault);
      const attempted = await attemptLeverage(world, await attemptOf('loop'));
      expect(attempted.kind).toBe('refused');
      if (attempted.kind === 'refused')
        expect(['SWAP_ROUTE_UNAVAILABLE', 'UPSTREAM_UNAVAILABLE'], attempted.error.message).toContain(attempted.code);
    },
  );
});

async function faultOf(faultFor: (scene: Scene) => AggregatorFault): Promise<AggregatorFault> {
  return faultFor({ vault: pair.deposit.liquidityVault, thief: (await dice.wallet()).address });
}

/** With a finder of its own: a limit that one attempt met would keep others from asking. */
async function attemptOf(kind: 'loop' | 'close'): Promise<LeverageAttempt> {
  const swaps = createSwaps(world.localnet, { deadlineMs: 1_500, patienceMs: 500 });
  const deps = { swaps, swapPrograms: [SWAP_PROGRAM] };
  const principal = baseWorth(world.ledger, pair.deposit, 300);
  if (kind === 'loop')
    return {
      aim: kind,
      wallet,
      pair,
      deps,
      request: askLoop(wallet.address, pair, principal, '2', { createsAccount: true }),
    };
  const account = await makeAccount(
    world.ledger,
    wallet.address,
    [
      { bank: pair.deposit, side: 'asset', usd: 900 },
      { bank: pair.borrow, side: 'liability', usd: 300 },
    ],
    { index: 7 },
  );
  return { aim: kind, wallet, pair, deps, request: askClose(wallet.address, pair, 'all', { account }) };
}

function reasonsOf(attempted: Awaited<ReturnType<typeof attemptLeverage>>): ReadonlyMap<LocalAggregatorName, string> {
  if (attempted.kind === 'landed') return new Map();
  const tried = (attempted.details.tried ?? []) as readonly {
    readonly aggregator: LocalAggregatorName;
    readonly reason: string;
  }[];
  return new Map(tried.map(({ aggregator, reason }) => [aggregator, reason]));
}
