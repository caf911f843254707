import type { StrictRule } from '@lending/domain';
import type { P0Bank } from '@lending/venues';
import { describe, expect, it } from 'vitest';
import { asset } from './accounts.ts';
import { askAt } from './ask.ts';
import { attempt, build } from './attempt.ts';
import { editTerms, setFeedAge } from './chain-edits.ts';
import { landBuild } from './land-build.ts';
import { type Scene, useScene } from './scene.ts';

/** Rules of 0.1.12 that are assumed of 0.1.10, of which July's sources show that it is less strict. */
const FORMER = ['paused_collateral_zero_weight', 'zero_max_age_is_zero'] as const;

/** Borrows on a chain that `change` changed, by rules that are relaxed or not; what is built has to land. */
type Borrow = (...relaxed: readonly StrictRule[]) => ReturnType<typeof build>;
type Change = (scene: Scene, collateral: P0Bank, loan: P0Bank) => () => void;

const paused: Change = ({ ledger }, collateral) =>
  editTerms(ledger, collateral.address, (config) => ({ ...config, operationalState: 0 }));
const ageless: Change = (scene, _collateral, loan) => {
  setFeedAge(scene.ledger, scene.feedOf(loan), 30n);
  return editTerms(scene.ledger, loan.address, (config) => ({ ...config, oracleMaxAge: 0 }));
};

async function under(scene: Scene, change: Change, task: (borrow: Borrow) => Promise<void>): Promise<void> {
  const { world, ledger } = scene;
  const [collateral, loan] = world.banks.filter(
    ({ venue, oracle, weights, riskTier }) =>
      venue === 'p0' && oracle.setup === 'PythPushOracle' && weights.assetInit > 0n && riskTier === 'Collateral',
  ) as [P0Bank, P0Bank];
  const wallet = await scene.walletWith(20_000_000_000n);
  await scene.account(wallet, [asset(collateral, 1_000)]);
  world.pass(0);
  const restore = change(scene, collateral, loan);
  world.settle();
  const request = askAt('borrow', wallet.address, loan, scene.worth(loan, 10));
  try {
    await task(async (...relaxed) => {
      const built = await build({ ...world.deps, relaxed: () => new Set(relaxed) }, request);
      expect((await landBuild(ledger, built, wallet)).failure).toBeNull();
      return built;
    });
  } finally {
    restore();
  }
}

describe('a build for 0.1.10', () => {
  const scene = useScene('relaxed rules', attempt, { programVersion: '0.1.10' });

  it('borrows against collateral of a Paused bank where the chain relaxes that rule, and values it so', () =>
    under(scene, paused, async (borrow) => {
      await expect(borrow()).rejects.toMatchObject({ code: 'ACTION__BORROW_EXCEEDED', context: { max_borrow: 0 } });
      const { postHealth } = await borrow('paused_collateral_zero_weight');
      expect(postHealth.health.initial?.assets).toBeGreaterThan(0n);
    }));

  it('borrows at a price of the last minute where the bank names no age and the chain relaxes that rule', () =>
    under(scene, ageless, async (borrow) => {
      await expect(borrow()).rejects.toMatchObject({ code: 'ORACLE__PRICE_STALE', context: { max_age_seconds: 0 } });
      expect((await borrow('zero_max_age_is_zero')).postHealth.staleBanks).toEqual([]);
    }));
});

describe('a build for 0.1.12 by rules that were relaxed wrongly', () => {
  const scene = useScene('relaxed rules', attempt, { programVersion: '0.1.12' });

  it.each([
    ['a Paused bank', paused, 'RiskEngineInitRejected'],
    ['a price without an age', ageless, 'PythPushStalePrice'],
  ])('fails in its simulation for %s', (_what, change, error) =>
    under(scene, change, async (borrow) => {
      await expect(borrow(...FORMER)).rejects.toMatchObject({ context: { cause: { error } } });
    }),
  );
});
