import { buildAction } from '@lending/api';
import type { StrictRule } from '@lending/domain';
import type { P0Bank } from '@lending/venues';
import type { KeyPairSigner } from '@solana/kit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { askAt } from './ask.ts';
import { type BuildersWorld, openBuildersWorld } from './builders-world.ts';
import { createDice } from './dice.ts';
import { editTerms } from './edit-chain.ts';
import { setFeedAge } from './feed-age.ts';
import { landBuild } from './land-build.ts';
import { fund, makeAccount } from './made-wallet.ts';
import { baseWorth } from './worth.ts';

/** Rules of 0.1.12 that are assumed of 0.1.10, of which July's sources show that it is less strict. */
const FORMER = ['paused_collateral_zero_weight', 'zero_max_age_is_zero'] as const;

let world: BuildersWorld;
let wallet: KeyPairSigner;
let collateral: P0Bank;
let loan: P0Bank;

async function open(version: '0.1.10' | '0.1.12'): Promise<void> {
  world = await openBuildersWorld(version);
  const priced = world.banks.filter(({ venue, oracle }) => venue === 'p0' && oracle.setup === 'PythPushOracle');
  [collateral, loan] = priced.filter(
    ({ weights, riskTier }) => weights.assetInit > 0n && riskTier === 'Collateral',
  ) as [P0Bank, P0Bank];
}

async function prepare(): Promise<void> {
  wallet = await createDice(expect.getState().currentTestName ?? '').wallet();
  await fund(world.ledger, wallet, 20_000_000_000n);
  await makeAccount(world.ledger, wallet.address, [{ bank: collateral, side: 'asset', usd: 1_000 }]);
  world.pass(0);
}

function borrow(...relaxed: readonly StrictRule[]) {
  const request = askAt('borrow', wallet.address, loan, baseWorth(world.ledger, loan, 10));
  return buildAction({ ...world.deps, relaxed: () => new Set(relaxed) }, request, { callName: 'the test' });
}

/** Changes the chain's terms while `task` runs. */
async function under(change: () => () => void, task: () => Promise<void>): Promise<void> {
  const restore = change();
  world.settle();
  try {
    await task();
  } finally {
    restore();
  }
}

const paused = () => editTerms(world.ledger, collateral.address, (config) => ({ ...config, operationalState: 0 }));
const ageless = () => {
  const restore = editTerms(world.ledger, loan.address, (config) => ({ ...config, oracleMaxAge: 0 }));
  for (const feed of world.feeds) if (loan.oracle.keys.includes(feed)) setFeedAge(world.ledger, feed, 30n);
  return restore;
};

async function expectLanded(build: Awaited<ReturnType<typeof borrow>>): Promise<void> {
  expect((await landBuild(world.ledger, build, wallet)).failure).toBeNull();
}

describe('a build for 0.1.10', () => {
  beforeAll(() => open('0.1.10'));
  beforeEach(prepare);
  afterAll(() => world?.stop());

  it('borrows against collateral of a Paused bank where the chain relaxes that rule, and values it so', () =>
    under(paused, async () => {
      await expect(borrow()).rejects.toMatchObject({ code: 'ACTION__BORROW_EXCEEDED', context: { max_borrow: 0 } });
      const build = await borrow('paused_collateral_zero_weight');
      expect(build.postHealth.health.initial?.assets).toBeGreaterThan(0n);
      await expectLanded(build);
    }));

  it('borrows at a price of the last minute where the bank names no age and the chain relaxes that rule', () =>
    under(ageless, async () => {
      await expect(borrow()).rejects.toMatchObject({ code: 'ORACLE__PRICE_STALE', context: { max_age_seconds: 0 } });
      const build = await borrow('zero_max_age_is_zero');
      expect(build.postHealth.staleBanks).toEqual([]);
      await expectLanded(build);
    }));
});

describe('a build for 0.1.12 by rules that were relaxed wrongly', () => {
  beforeAll(() => open('0.1.12'));
  beforeEach(prepare);
  afterAll(() => world?.stop());

  it.each([
    ['a Paused bank', paused, 'RiskEngineInitRejected'],
    ['a price without an age', ageless, 'PythPushStalePrice'],
  ])('fails in its simulation for %s', (_what, change, error) =>
    under(change, async () => {
      await expect(borrow(...FORMER)).rejects.toMatchObject({ context: { cause: { error } } });
    }),
  );
});
