import { type Build, buildLeverage } from '@lending/api';
import { ASSET_TAG } from '@lending/domain';
import { connectBlockEngine, connectNode, type Envelope, sendEnvelope } from '@lending/examples';
import type { P0Bank } from '@lending/venues';
import type { Address, KeyPairSigner } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDice } from '../src/builders/dice.ts';
import { landBuild } from '../src/builders/land-build.ts';
import { fund, makeAccount } from '../src/builders/made-wallet.ts';
import { baseWorth } from '../src/builders/worth.ts';
import { askClose, askLoop } from '../src/leverage/ask-leverage.ts';
import { attemptLeverage, type LeverageAttempted, landLeverage, PLAIN } from '../src/leverage/attempt-leverage.ts';
import { takeSnapshot } from '../src/leverage/leverage-promise.ts';
import { type LeverageWorld, openLeverageWorld } from '../src/leverage/leverage-world.ts';
import { movePrice } from '../src/leverage/move-price.ts';
import { findPair, PAIRS, type Pair } from '../src/leverage/pairs.ts';

const SOL = 1_000_000_000n;
const MOST_TRANSACTIONS = 5;
/** Sixteen balances in all, two of them the pair's. */
const MOST_OTHERS = 14;

const dice = createDice('leverage sizes');
let world: LeverageWorld;

/** Balances beside the pair's beside which a loop lands, at most: by transaction version, with the market's lookup tables and without. */
const MOST_BESIDE = { 0: { with: 14, without: 7 }, 1: { with: 14, without: 14 } } as const;

describe.each(['0.1.10', '0.1.11', '0.1.12'] as const)('[leverage-sizes] loops and closes of program %s', (program) => {
  beforeAll(async () => {
    world = await openLeverageWorld(program);
  });

  afterAll(async () => {
    await world?.stop();
  });

  it.each([0, 1] as const)('v%i: land beside eight other balances', async (version) => {
    const { wallet, pair, account } = await portfolio('SOL on dollars', 8);
    const principal = baseWorth(world.ledger, pair.deposit, 200);
    const loop = askLoop(wallet.address, pair, principal, '1.5', { account, version });
    const { build } = await landLeverage(world, { aim: 'eight', wallet, pair, request: loop });
    expect(build.transactions.length).toBeLessThanOrEqual(MOST_TRANSACTIONS);
    const close = askClose(wallet.address, pair, 'all', { account, version });
    await landLeverage(world, { aim: 'eight', wallet, pair, request: close });
  });

  it.each([0, 1] as const)('v%i: fit beside as many balances as the guide says', async (version) => {
    for (const tables of ['with', 'without'] as const) {
      const lookupTables = tables === 'with' ? world.deps.lookupTables : [];
      const most = MOST_BESIDE[version][tables];
      for (let others = 0; others <= MOST_OTHERS; others += 1) {
        const { wallet, pair, account } = await portfolio('SOL on dollars', others);
        const principal = baseWorth(world.ledger, pair.deposit, 200);
        const request = askLoop(wallet.address, pair, principal, '1.5', { account, version });
        const attempted = await attemptLeverage(world, { aim: 'most', wallet, pair, request, deps: { lookupTables } });
        if (others <= most) expect(attempted.kind, `${tables} tables, ${others} others`).toBe('landed');
        else expect(attempted).toMatchObject({ code: 'TX_TOO_LARGE', details: { balances: others } });
      }
    }
  });
});

describe('[leverage-sizes] loops and closes beside other balances', () => {
  beforeAll(async () => {
    world = await openLeverageWorld();
  });

  afterAll(async () => {
    await world?.stop();
  });

  it('stands setup apart in a bundle as balances grow, and says when nothing helps', async () => {
    const seen = new Map<string, string>();
    for (const lookupTables of [world.deps.lookupTables, []])
      for (let others = 0; others <= 12; others += 2) {
        const { wallet, pair, account } = await portfolio('SOL on dollars', others);
        const principal = baseWorth(world.ledger, pair.deposit, 200);
        const request = askLoop(wallet.address, pair, principal, '1.5', { account });
        const attempted = await attemptLeverage(world, { aim: 'sizes', wallet, pair, request, deps: { lookupTables } });
        const shape = shapeOf(attempted);
        seen.set(shape, `${seen.get(shape) ?? ''} ${lookupTables.length > 0 ? 'with' : 'without'} tables ${others},`);
      }
    process.stdout.write(`${[...seen].map(([shape, where]) => `${shape}:${where}`).join('\n')}\n`);
    expect([...seen.keys()]).toEqual(expect.arrayContaining(['sequential LOOP', 'bundle SETUP LOOP', 'TX_TOO_LARGE']));
  });

  it('says by how much a loop is too large, and what to try', async () => {
    const { wallet, pair, account } = await portfolio('SOL on dollars', 12);
    const principal = baseWorth(world.ledger, pair.deposit, 200);
    const request = askLoop(wallet.address, pair, principal, '1.5', { account });
    const attempted = await attemptLeverage(world, {
      aim: 'too large',
      wallet,
      pair,
      request,
      deps: { lookupTables: [] },
    });
    expect(attempted).toMatchObject({ kind: 'refused', code: 'TX_TOO_LARGE' });
  });

  it('lands a bundle that the example signer signs and sends, in one slot', async () => {
    const { wallet, build } = await bundled();
    expect(build.fees.tip).toBeGreaterThan(0n);
    const sending = sendEnvelope(envelopeOf(build), wallet, {
      node: connectNode(world.localnet.rpcUrl),
      engine: connectBlockEngine(world.localnet.rpcUrl),
      print: () => undefined,
    });
    const beat = setInterval(() => world.settle(), 50);
    const signatures = await sending.finally(() => clearInterval(beat));
    const landed = signatures.map((signature) => world.ledger.transaction(signature));
    expect(new Set(landed.map((record) => record?.slot)).size).toBe(1);
    expect(signatures).toHaveLength(build.transactions.length);
  });

  it('leaves nothing of a bundle of which one transaction fails', async () => {
    const { wallet, pair, build } = await bundled();
    const before = takeSnapshot(world.ledger, wallet.address);
    const restore = movePrice(world, pair.deposit, 100n);
    const { failure } = await landBuild(world.ledger, build, wallet);
    restore();
    expect(failure).not.toBeNull();
    expect(takeSnapshot(world.ledger, wallet.address)).toEqual(before);
  });
});

interface Portfolio {
  readonly wallet: KeyPairSigner;
  readonly pair: Pair;
  readonly account: Address;
}

/** An account with so many other balances, half of them at other venues, and a wallet with the principal. */
async function portfolio(name: string, others: number): Promise<Portfolio> {
  const named = PAIRS.find((each) => each.name === name);
  if (named === undefined) throw new TypeError(`There is no pair ${name}`);
  const pair = findPair(world, named);
  const wallet = await dice.wallet();
  await fund(world.ledger, wallet, 5n * SOL);
  const isOther = (bank: P0Bank) =>
    bank !== pair.deposit &&
    bank !== pair.borrow &&
    bank.operationalState === 'Operational' &&
    bank.weights.assetInit > 0n &&
    bank.assetTag !== ASSET_TAG.staked;
  const fitting = world.banks.filter(isOther);
  const away = dice.some(
    fitting.filter(({ venue }) => venue !== 'p0'),
    Math.floor(others / 2),
  );
  const own = dice.some(
    fitting.filter(({ venue }) => venue === 'p0'),
    others - away.length,
  );
  const account = await makeAccount(
    world.ledger,
    wallet.address,
    [...away, ...own].map((bank) => ({ bank, side: 'asset', usd: 100 })),
  );
  return { wallet, pair, account };
}

/** The first loop that takes a bundle, without lookup tables of the market. */
async function bundled(): Promise<Portfolio & { readonly build: Build }> {
  for (let others = 0; others <= 12; others += 1) {
    const made = await portfolio('SOL on dollars', others);
    const { wallet, pair, account } = made;
    world.settle();
    const request = askLoop(wallet.address, pair, baseWorth(world.ledger, pair.deposit, 200), '1.5', { account });
    const build = await buildLeverage({ ...world.deps, lookupTables: [] }, request, PLAIN).catch(() => null);
    if (build?.submit === 'bundle') return { ...made, build };
  }
  throw new TypeError('No loop takes a bundle');
}

function shapeOf(attempted: LeverageAttempted): string {
  if (attempted.kind === 'refused') return attempted.code;
  const { submit, transactions } = attempted.build;
  return `${submit} ${transactions.map(({ type }) => type).join(' ')}`;
}

/** As the doors answer it, in the words that the example signer reads. */
function envelopeOf({ account, transactions, submit, blockhash, summary, actionIndex }: Build): Envelope {
  return {
    account,
    transactions: transactions.map(({ wire, type, label }) => ({
      base64: Buffer.from(wire).toString('base64'),
      type,
      label,
    })),
    action_tx_index: actionIndex,
    submit,
    blockhash: { value: blockhash.value, last_valid_block_height: Number(blockhash.lastValidBlockHeight) },
    summary,
    plan_id: '',
  };
}
