import { describe, expect, it } from 'vitest';
import { askAt } from './ask.ts';
import { attempt, build } from './attempt.ts';
import { isOpen, useScene } from './scene.ts';

const scene = useScene('later simulation', attempt);

/** A chain does not stand still while a build reads and simulates. */
describe('a build whose simulation is of a later second than its reading', () => {
  it.each(['p0', 'kamino', 'solend', 'juplend'] as const)('says what %s pays afterwards', async (venue) => {
    const { banks, deps, pass, settle } = scene.world;
    const simulator: typeof deps.simulator = {
      simulate(...simulated) {
        pass(2);
        return deps.simulator.simulate(...simulated);
      },
    };
    for (const bank of banks.filter((one) => one.venue === venue && isOpen(one))) {
      const wallet = await scene.walletWith(10_000_000_000n, [bank, 100]);
      settle();
      const request = askAt('deposit', wallet.address, bank, scene.worth(bank, 10));
      const { ratesAfter } = await build({ ...deps, simulator }, request);
      expect(ratesAfter?.depositApyPct, bank.address).toEqual(expect.any(Number));
    }
  });
});
