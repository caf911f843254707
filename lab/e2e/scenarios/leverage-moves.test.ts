import type { LeverageRequest } from '@lending/api';
import type { KeyPairSigner } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { asset, debt } from '../src/builders/accounts.ts';
import { askClose, askLoop } from '../src/builders/ask.ts';
import { build } from '../src/builders/attempt.ts';
import { movePrice } from '../src/builders/chain-edits.ts';
import { land } from '../src/builders/justify.ts';
import { landBuild } from '../src/builders/land-build.ts';
import { findPair, type NamedPair, PAIRS, type Pair } from '../src/builders/pairs.ts';
import { takeSnapshot } from '../src/builders/promise.ts';
import { SOL, useScene } from '../src/builders/scene.ts';

/** 1 %, more than any slippage of the requests here. */
const BPS = 100n;

const scene = useScene('leverage moves', land);

/** Where the tokens differ: at one price nothing is swapped, and no price matters. */
const SWAPPED = PAIRS.filter(({ supply, debt: owed, name }) => supply !== owed && name !== 'a token that keeps a fee');

describe('[leverage-moves] prices that move between build and send', () => {
  it.each(SWAPPED)('$name: a loop whose collateral became dearer leaves nothing half open', async (named) => {
    const { wallet, pair, loopAt } = await loop(named);
    await expectUntouched(wallet, pair, loopAt('2'), BPS);
  });

  it.each(SWAPPED)('$name: a loop at its maximum whose collateral lost fails as a whole', async (named) => {
    const { wallet, pair, loopAt } = await loop(named);
    scene.world.settle();
    // The pair's maximum, or what the service says goes now: the attempt is only made for its refusal.
    const built = await build(scene.world.deps, loopAt(named.max)).catch((error: unknown) => error);
    const { context } = built as { readonly context?: { readonly max_leverage?: number } };
    // More than the maximum leaves for the swap.
    await expectUntouched(wallet, pair, loopAt(String(context?.max_leverage ?? named.max)), -3n * BPS);
  });

  it.each(SWAPPED)('$name: a close whose collateral lost leaves nothing half closed', async (named) => {
    const pair = findPair(scene.world, named);
    const wallet = await scene.walletWith(5n * SOL);
    await scene.account(wallet, [asset(pair.deposit, 1_000), debt(pair.borrow, 300)]);
    await expectUntouched(wallet, pair, askClose(wallet.address, pair, 'all'), -BPS);
  });

  it('lands, and pays out more, where the move is the wallet’s gain', async () => {
    const { wallet, pair, loopAt } = await loop(SWAPPED[0] as NamedPair);
    scene.world.settle();
    const built = await build(scene.world.deps, loopAt('2'));
    const promised = built.tokenChanges.find(({ mint }) => mint === pair.deposit.mint)?.deltaBase ?? 0n;
    const before = tokensOf(wallet, pair);
    const restore = movePrice(scene.world, pair.deposit, -BPS);
    expect((await landBuild(scene.ledger, built, wallet)).failure).toBeNull();
    restore();
    expect(tokensOf(wallet, pair) - before).toBeGreaterThan(promised);
  });
});

async function loop(named: NamedPair) {
  const pair = findPair(scene.world, named);
  const wallet = await scene.walletWith(20n * SOL, [pair.deposit, 800]);
  const principal = scene.worth(pair.deposit, 400);
  return { wallet, pair, loopAt: (leverage: string) => askLoop(wallet.address, pair, principal, leverage) };
}

/** Builds, moves the price of the deposit bank, lands: what was sent fails, and only its fees are gone. */
async function expectUntouched(
  wallet: KeyPairSigner,
  pair: Pair,
  request: LeverageRequest,
  bps: bigint,
): Promise<void> {
  const { ledger, world } = scene;
  world.settle();
  const built = await build(world.deps, request);
  const snapshot = () => ({ ...takeSnapshot(ledger, wallet.address), account: ledger.account(built.account) });
  const before = snapshot();
  const restore = movePrice(world, pair.deposit, bps);
  const { failure } = await landBuild(ledger, built, wallet);
  restore();
  expect(failure, 'it landed in spite of the price').not.toBeNull();
  const after = snapshot();
  expect(after.account).toEqual(before.account);
  expect(after.holders).toEqual(before.holders);
  const { network, priority } = built.fees;
  expect(before.lamports - after.lamports).toBeLessThanOrEqual(network + priority);
}

function tokensOf({ address }: KeyPairSigner, { deposit }: Pair): bigint {
  const { holders } = takeSnapshot(scene.ledger, address);
  const own = [...holders.values()].filter(({ owner, mint }) => owner === address && mint === deposit.mint);
  return own.reduce((sum, { base }) => sum + base, 0n);
}
