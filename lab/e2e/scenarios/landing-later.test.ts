import { beforeAll, describe, expect, it } from 'vitest';
import { lendFromAll } from '../src/builders/chain-edits.ts';
import { judge } from '../src/builders/justify.ts';
import { randomSettings } from '../src/builders/random.ts';
import { askToLandLater, LANDING_AIMS } from '../src/builders/random-requests.ts';
import { isOwnPool, useScene } from '../src/builders/scene.ts';

const { seed, count } = randomSettings('LANDING', { seed: '20261128', count: 60 });

const scene = useScene('landing', judge);

describe(`${count} builds, each as the first of its process, seed ${seed}`, () => {
  beforeAll(() => {
    const banks = scene.world.banks.filter(isOwnPool).map(({ address }) => address);
    lendFromAll(scene.ledger, banks);
  });

  it('[landing-later] land two to ten seconds after they were built', async () => {
    const tally = await askToLandLater(scene.world, {
      title: 'landing',
      seed,
      aims: LANDING_AIMS,
      isEnough: (seen, turn) => seen.total('kind') >= count || turn >= count * 3,
    });
    expect(tally.total('kind')).toBe(count);
    for (const kind of ['create_account', 'deposit', 'withdraw', 'borrow', 'repay', 'loop', 'close_position'])
      expect(tally.of('kind', kind), kind).toBeGreaterThan(0);
  });
});
