import { connectBlockEngine, connectNode, sendEnvelope } from '@lending/examples';
import { describe, expect, it } from 'vitest';
import { asset } from '../src/builders/accounts.ts';
import { askLoop } from '../src/builders/ask.ts';
import { attempt, build, shapeOf } from '../src/builders/attempt.ts';
import { movePrice } from '../src/builders/chain-edits.ts';
import { land } from '../src/builders/justify.ts';
import { envelopeOf, landBuild } from '../src/builders/land-build.ts';
import { findPair } from '../src/builders/pairs.ts';
import { takeSnapshot } from '../src/builders/promise.ts';
import { isOpen, isOwnPool, isStaked, type Scene, SOL, useScene } from '../src/builders/scene.ts';

const MOST_TRANSACTIONS = 5;
/** Sixteen balances in all, two of them the pair's. */
const MOST_OTHERS = 14;
/** Balances beside the pair's beside which a loop lands, at most: by transaction version, with the market's lookup tables and without. */
const MOST_BESIDE = { 0: { with: 14, without: 7 }, 1: { with: 14, without: 14 } } as const;

describe.each(['0.1.10', '0.1.11', '0.1.12'] as const)(
  '[leverage-sizes] loops and closes of program %s',
  (programVersion) => {
    const scene = useScene('leverage sizes', land, { programVersion });

    it.each([0, 1] as const)('v%i: land beside eight other balances', async (version) => {
      const { wallet, pair, account, principal } = await portfolio(scene, 8);
      const { build: looped } = await scene.loop(wallet, pair, principal, '1.5', { account, version });
      expect(looped.transactions.length).toBeLessThanOrEqual(MOST_TRANSACTIONS);
      await scene.close(wallet, pair, 'all', { account, version });
    });

    it.each([0, 1] as const)('v%i: fit beside as many balances as the guide says', async (version) => {
      for (const tables of ['with', 'without'] as const) {
        const lookupTables = tables === 'with' ? scene.world.deps.lookupTables : [];
        for (let others = 0; others <= MOST_OTHERS; others += 1) {
          const { attemptWith } = await portfolio(scene, others);
          const outcome = await attempt(scene.world, { ...attemptWith({ version }), deps: { lookupTables } });
          const isFitting = others <= MOST_BESIDE[version][tables];
          if (isFitting) expect(outcome.kind, `${tables} tables, ${others} others`).toBe('landed');
          else expect(outcome).toMatchObject({ code: 'TX_TOO_LARGE', details: { balances: others } });
        }
      }
    });
  },
);

describe('[leverage-sizes] loops and closes beside other balances', () => {
  const scene = useScene('leverage sizes', land);

  it('stands setup apart in a bundle as balances grow, and says when nothing helps', async () => {
    const seen = new Map<string, string>();
    for (const lookupTables of [scene.world.deps.lookupTables, []])
      for (let others = 0; others <= 12; others += 2) {
        const { attemptWith } = await portfolio(scene, others);
        const shape = shapeOf(await attempt(scene.world, { ...attemptWith({}), deps: { lookupTables } }));
        seen.set(shape, `${seen.get(shape) ?? ''} ${lookupTables.length > 0 ? 'with' : 'without'} tables ${others},`);
      }
    process.stdout.write(`${[...seen].map(([shape, where]) => `${shape}:${where}`).join('\n')}\n`);
    expect([...seen.keys()]).toEqual(expect.arrayContaining(['sequential LOOP', 'bundle SETUP LOOP', 'TX_TOO_LARGE']));
  });

  it('lands a bundle that the example signer signs and sends, in one slot', async () => {
    const { wallet, built } = await bundled(scene);
    const { ledger, localnet } = scene.world;
    expect(built.fees.tip).toBeGreaterThan(0n);
    const sending = sendEnvelope(envelopeOf(built), wallet, {
      node: connectNode(localnet.rpcUrl),
      engine: connectBlockEngine(localnet.rpcUrl),
      print: () => undefined,
    });
    const timer = setInterval(() => scene.world.settle(), 50);
    const signatures = await sending.finally(() => clearInterval(timer));
    const slots = signatures.map((signature) => ledger.transaction(signature)?.slot);
    expect(new Set(slots).size).toBe(1);
    expect(signatures).toHaveLength(built.transactions.length);
  });

  it('leaves nothing of a bundle of which one transaction fails', async () => {
    const { wallet, pair, built } = await bundled(scene);
    const before = takeSnapshot(scene.ledger, wallet.address);
    const restore = movePrice(scene.world, pair.deposit, 100n);
    const { failure } = await landBuild(scene.ledger, built, wallet);
    restore();
    expect(failure).not.toBeNull();
    expect(takeSnapshot(scene.ledger, wallet.address)).toEqual(before);
  });
});

/** An account with so many other balances, half of them at other venues, and a wallet with the principal of a loop. */
async function portfolio(scene: Scene, others: number) {
  const pair = findPair(scene.world, 'SOL on dollars');
  const wallet = await scene.walletWith(5n * SOL);
  const fitting = scene.world.banks.filter(
    (bank) =>
      bank !== pair.deposit && bank !== pair.borrow && isOpen(bank) && bank.weights.assetInit > 0n && !isStaked(bank),
  );
  const away = scene.dice.some(
    fitting.filter((bank) => !isOwnPool(bank)),
    Math.floor(others / 2),
  );
  const own = scene.dice.some(fitting.filter(isOwnPool), others - away.length);
  const account = await scene.account(
    wallet,
    [...away, ...own].map((bank) => asset(bank, 100)),
  );
  const principal = scene.worth(pair.deposit, 200);
  const attemptWith = (rest: { readonly version?: 0 | 1 }) => {
    return { wallet, pair, request: askLoop(wallet.address, pair, principal, '1.5', { account, ...rest }) };
  };
  return { wallet, pair, account, principal, attemptWith };
}

/** The first loop that takes a bundle, without lookup tables of the market. */
async function bundled(scene: Scene) {
  for (let others = 0; others <= 12; others += 1) {
    const made = await portfolio(scene, others);
    scene.world.settle();
    const { request } = made.attemptWith({});
    const built = await build({ ...scene.world.deps, lookupTables: [] }, request).catch(() => null);
    if (built?.submit === 'bundle') return { ...made, built };
  }
  throw new TypeError('No loop takes a bundle');
}
