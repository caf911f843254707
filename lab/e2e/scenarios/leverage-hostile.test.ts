import { type AggregatorFault, type LocalAggregatorName, SWAP_PROGRAM } from '@lending/localnet';
import type { Address, KeyPairSigner } from '@solana/kit';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asset, debt } from '../src/builders/accounts.ts';
import { askClose, askLoop } from '../src/builders/ask.ts';
import { attempt, build } from '../src/builders/attempt.ts';
import { movePrice } from '../src/builders/chain-edits.ts';
import { land } from '../src/builders/justify.ts';
import { landBuild } from '../src/builders/land-build.ts';
import { findPair, type Pair } from '../src/builders/pairs.ts';
import { takeSnapshot } from '../src/builders/promise.ts';
import { SOL, useScene } from '../src/builders/scene.ts';
import { createSwaps } from '../src/builders/world.ts';

const BOTH = ['jupiter', 'dflow'] as const;
const KINDS = ['loop', 'close'] as const;
type Kind = (typeof KINDS)[number];

const scene = useScene('leverage hostile', land);
let pair: Pair;
let wallet: KeyPairSigner;

/** Offers that have to be refused, with the check that refuses them, whoever makes them. */
const REFUSED: readonly (readonly [string, (targets: Targets) => AggregatorFault, string])[] = [
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

interface Targets {
  readonly vault: Address;
  readonly thief: Address;
}

describe('[leverage-hostile] aggregators that lie, steal or fail', () => {
  beforeAll(() => {
    pair = findPair(scene.world, 'SOL on dollars');
  });

  beforeEach(async () => {
    // More of both tokens than the request takes: what takes too much finds it.
    wallet = await scene.walletWith(20n * SOL, [pair.deposit, 900], [pair.borrow, 900]);
  });

  afterEach(() => setFault(null));

  describe.each(REFUSED)('%s', (_, faultFor, reason) => {
    it.each(KINDS)('is refused by name in a %s, and nothing is built', async (kind) => {
      setFault(await faultOf(faultFor));
      const attempted = await attempt(scene.world, await attemptOf(kind));
      const tried = BOTH.map((aggregator) => expect.objectContaining({ aggregator, reason }));
      expect(attempted).toMatchObject({
        kind: 'refused',
        code: 'SWAP_ROUTE_UNAVAILABLE',
        details: { tried: expect.arrayContaining(tried) },
      });
    });

    it.each(BOTH)('of %s is passed over for the other one', async (name) => {
      const swap = await swapPast(name, await faultOf(faultFor));
      const tried = swap?.tried.find(({ aggregator }) => aggregator === name);
      expect(tried).toMatchObject({ outcome: 'refused', reason });
    });
  });

  it('refuses what DFlow knows of a chain long gone', async () => {
    const swap = await swapPast('dflow', { kind: 'old_slot', slots: 2_000 });
    expect(swap?.tried).toContainEqual(expect.objectContaining({ aggregator: 'dflow', reason: 'stale_quote' }));
  });

  describe.each(FOUND_BY_SIMULATION)('%s', (_, fault, check) => {
    it.each(KINDS)('is found out by the simulation of a %s', (kind) => expectFoundOut(kind, fault, check));

    it.each(BOTH)('of %s is passed over for the other one', async (name) => {
      await swapPast(name, fault);
    });
  });

  it.each(KINDS)(
    'a swap that gives too little is named, and passed over, in a %s of a wallet with nothing to spare',
    async (kind) => {
      const fundOnce = () =>
        scene.fund(wallet, scene.worth(pair.deposit, 300) + SOL, [
          [pair.deposit, null],
          [pair.borrow, null],
        ]);
      const fault = { kind: 'gives_less', bps: 100 } as const;
      await fundOnce();
      await expectFoundOut(kind, fault, 'destination');
      for (const name of BOTH) {
        await fundOnce();
        await swapPast(name, fault, kind);
      }
    },
  );

  it.each(KINDS)(
    'a %s is not made up for with the wallet’s own tokens where the swap takes anything for enough',
    async (kind) => {
      setFault({ kind: 'gives_less', bps: 0 });
      const { request, deps } = await attemptOf(kind);
      scene.world.settle();
      const built = await build({ ...scene.world.deps, ...deps }, request);
      const before = takeSnapshot(scene.ledger, wallet.address);
      // What is sold loses before it lands.
      const restore = movePrice(scene.world, kind === 'loop' ? pair.borrow : pair.deposit, -300n);
      const { failure } = await landBuild(scene.ledger, built, wallet);
      restore();
      expect(failure).not.toBeNull();
      expect(takeSnapshot(scene.ledger, wallet.address).holders).toEqual(before.holders);
    },
  );

  it.each(OF_NO_ACCOUNT)('%s changes nothing', async (_, fault) => {
    setFault(fault);
    for (const kind of KINDS) await scene.attempt(await attemptOf(kind));
  });

  it.each(BROKEN)('one that %s is survived', async (_, fault) => {
    for (const name of BOTH) await swapPast(name, fault);
  });

  // Jupiter takes callers that bring no key.
  it.each(BROKEN.filter(([, { kind }]) => kind !== 'unknown_key'))(
    'two that each %s end in an error that says so',
    async (_, fault) => {
      setFault(fault);
      const code = expect.stringMatching(/^(SWAP_ROUTE_UNAVAILABLE|UPSTREAM_UNAVAILABLE)$/);
      expect(await attempt(scene.world, await attemptOf('loop'))).toMatchObject({ kind: 'refused', code });
    },
  );
});

/** Of one aggregator, the other one well; or of both. */
function setFault(fault: AggregatorFault | null, only?: LocalAggregatorName): void {
  for (const name of BOTH)
    scene.world.localnet.setAggregatorFault(name, only === undefined || only === name ? fault : null);
}

async function faultOf(faultFor: (targets: Targets) => AggregatorFault): Promise<AggregatorFault> {
  return faultFor({ vault: pair.deposit.liquidityVault, thief: (await scene.dice.wallet()).address });
}

/** Lands while one aggregator has a fault. @returns the swap, which is the other one's. */
async function swapPast(name: LocalAggregatorName, fault: AggregatorFault, kind: Kind = 'loop') {
  setFault(fault, name);
  const { build: built } = await scene.attempt(await attemptOf(kind));
  expect(built.swap?.quote.aggregator).toBe(BOTH.find((each) => each !== name));
  return built.swap;
}

async function expectFoundOut(kind: Kind, fault: AggregatorFault, check: string): Promise<void> {
  setFault(fault);
  const attempted = await attempt(scene.world, await attemptOf(kind));
  expect(attempted).toMatchObject({ kind: 'refused', code: 'SWAP_ROUTE_UNAVAILABLE', details: { check } });
}

/** With a finder of its own: a limit that one attempt met would keep others from asking. */
async function attemptOf(kind: Kind) {
  const swaps = createSwaps(scene.world.localnet, { deadlineMs: 1_500, patienceMs: 500 });
  const asked = { aim: kind, wallet, pair, deps: { swaps, swapPrograms: [SWAP_PROGRAM] } };
  if (kind === 'loop') {
    const principal = scene.worth(pair.deposit, 300);
    return { ...asked, request: askLoop(wallet.address, pair, principal, '2', { createsAccount: true }) };
  }
  const balances = [asset(pair.deposit, 900), debt(pair.borrow, 300)];
  const account = await scene.account(wallet, balances, { index: 7 });
  return { ...asked, request: askClose(wallet.address, pair, 'all', { account }) };
}
