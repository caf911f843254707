import { buildLeverage, type LeverageRequest } from '@lending/api';
import type { KeyPairSigner } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDice } from '../src/builders/dice.ts';
import { landBuild } from '../src/builders/land-build.ts';
import { fund, makeAccount } from '../src/builders/made-wallet.ts';
import { baseWorth } from '../src/builders/worth.ts';
import { askClose, askLoop } from '../src/leverage/ask-leverage.ts';
import { PLAIN } from '../src/leverage/attempt-leverage.ts';
import { takeSnapshot } from '../src/leverage/leverage-promise.ts';
import { type LeverageWorld, openLeverageWorld } from '../src/leverage/leverage-world.ts';
import { movePrice } from '../src/leverage/move-price.ts';
import { findPair, type NamedPair, PAIRS, type Pair } from '../src/leverage/pairs.ts';

const SOL = 1_000_000_000n;
/** 1 %, more than any slippage that is asked for here. */
const BPS = 100n;

const dice = createDice('leverage moves');
let world: LeverageWorld;

/** Where the tokens differ: at one price nothing is swapped, and nothing of a price is asked. */
const SWAPPED = PAIRS.filter(({ supply, debt, name }) => supply !== debt && name !== 'a token that keeps a fee');

describe('[leverage-moves] prices that move between build and send', () => {
  beforeAll(async () => {
    world = await openLeverageWorld();
  });

  afterAll(async () => {
    await world?.stop();
  });

  it.each(SWAPPED)('$name: a loop whose collateral became dearer leaves nothing half open', async (named) => {
    const { wallet, pair } = await principalIn(named);
    const principal = baseWorth(world.ledger, pair.deposit, 400);
    await expectUntouched(wallet, pair, askLoop(wallet.address, pair, principal, '2'), BPS);
  });

  it.each(SWAPPED)('$name: a loop at its maximum whose collateral lost fails as a whole', async (named) => {
    const { wallet, pair } = await principalIn(named);
    const principal = baseWorth(world.ledger, pair.deposit, 400);
    const leverage = await highestNow(wallet, pair, principal, named.max);
    // More than the maximum leaves for the swap.
    await expectUntouched(wallet, pair, askLoop(wallet.address, pair, principal, leverage), -3n * BPS);
  });

  it.each(SWAPPED)('$name: a close whose collateral lost leaves nothing half closed', async (named) => {
    const pair = findPair(world, named);
    const wallet = await dice.wallet();
    await fund(world.ledger, wallet, 5n * SOL);
    await makeAccount(world.ledger, wallet.address, [
      { bank: pair.deposit, side: 'asset', usd: 1_000 },
      { bank: pair.borrow, side: 'liability', usd: 300 },
    ]);
    await expectUntouched(wallet, pair, askClose(wallet.address, pair, 'all'), -BPS);
  });

  it('lands, and pays out more, where the move is the wallet’s gain', async () => {
    const { wallet, pair } = await principalIn(SWAPPED[0] as NamedPair);
    const principal = baseWorth(world.ledger, pair.deposit, 400);
    world.settle();
    const request = askLoop(wallet.address, pair, principal, '2');
    const build = await buildLeverage(world.deps, request, PLAIN);
    const promised = build.tokenChanges.find(({ mint }) => mint === pair.deposit.mint)?.deltaBase ?? 0n;
    const before = takeSnapshot(world.ledger, wallet.address);
    const restore = movePrice(world, pair.deposit, -BPS);
    expect((await landBuild(world.ledger, build, wallet)).failure).toBeNull();
    restore();
    const after = takeSnapshot(world.ledger, wallet.address);
    expect(tokensOf(after, wallet, pair) - tokensOf(before, wallet, pair)).toBeGreaterThan(promised);
  });
});

async function principalIn(named: NamedPair): Promise<{ readonly wallet: KeyPairSigner; readonly pair: Pair }> {
  const pair = findPair(world, named);
  const wallet = await dice.wallet();
  const tokens = baseWorth(world.ledger, pair.deposit, 800);
  await fund(world.ledger, wallet, 20n * SOL, [[pair.deposit, tokens]]);
  return { wallet, pair };
}

/** The pair's maximum, or what the service says goes now. */
async function highestNow(wallet: KeyPairSigner, pair: Pair, principal: bigint, max: string): Promise<string> {
  world.settle();
  const request = askLoop(wallet.address, pair, principal, max);
  // Without a simulation that lands: the attempt is only asked for its refusal.
  const built = await buildLeverage(world.deps, request, PLAIN).catch((error: unknown) => error);
  const { context } = built as { readonly context?: { readonly max_leverage?: number } };
  return context?.max_leverage === undefined ? max : String(context.max_leverage);
}

/** Builds, moves the price of the deposit bank, lands: what was sent fails, and only its fees are gone. */
async function expectUntouched(
  wallet: KeyPairSigner,
  pair: Pair,
  request: LeverageRequest,
  bps: bigint,
): Promise<void> {
  world.settle();
  const { ledger } = world;
  const build = await buildLeverage(world.deps, request, PLAIN);
  const before = { ...takeSnapshot(ledger, wallet.address), account: ledger.account(build.account) };
  const restore = movePrice(world, pair.deposit, bps);
  const { failure } = await landBuild(ledger, build, wallet);
  restore();
  expect(failure, 'it landed in spite of the price').not.toBeNull();
  const after = { ...takeSnapshot(ledger, wallet.address), account: ledger.account(build.account) };
  expect(after.account).toEqual(before.account);
  expect(after.holders).toEqual(before.holders);
  const { network, priority } = build.fees;
  expect(before.lamports - after.lamports).toBeLessThanOrEqual(network + priority);
}

function tokensOf({ holders }: ReturnType<typeof takeSnapshot>, { address }: KeyPairSigner, { deposit }: Pair): bigint {
  return [...holders.values()].reduce(
    (sum, { owner, mint, base }) => (owner === address && mint === deposit.mint ? sum + base : sum),
    0n,
  );
}
