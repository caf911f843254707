import { buildAction } from '@lending/api';
import type { P0Bank } from '@lending/venues';
import type { KeyPairSigner } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askAt } from './ask.ts';
import { type BuildersWorld, openBuildersWorld } from './builders-world.ts';
import { createDice } from './dice.ts';
import { fund } from './made-wallet.ts';
import { baseWorth } from './worth.ts';

let world: BuildersWorld;
let wallet: KeyPairSigner;

/** A chain does not stand still while a build reads and simulates. */
describe('a build whose simulation is of a later second than its reading', () => {
  beforeAll(async () => {
    world = await openBuildersWorld();
    wallet = await createDice('later simulation').wallet();
  });

  afterAll(async () => {
    await world?.stop();
  });

  it.each(['p0', 'kamino', 'solend', 'juplend'] as const)('tells what %s pays afterwards', async (venue) => {
    const banks = world.banks.filter((bank) => bank.venue === venue && bank.operationalState === 'Operational');
    for (const bank of banks) {
      await fund(world.ledger, wallet, 10_000_000_000n, [[bank, baseWorth(world.ledger, bank, 100)]]);
      world.settle();
      await expect(depositLater(bank), bank.address).resolves.toEqual(expect.any(Number));
    }
  });
});

async function depositLater(bank: P0Bank): Promise<number | null | undefined> {
  const { simulator } = world.deps;
  const later: typeof simulator = {
    ...simulator,
    simulate(transactions, watch, options) {
      world.pass(2);
      return simulator.simulate(transactions, watch, options);
    },
  };
  const request = askAt('deposit', wallet.address, bank, baseWorth(world.ledger, bank, 10));
  const { ratesAfter } = await buildAction({ ...world.deps, simulator: later }, request, { callName: 'the test' });
  return ratesAfter?.depositApyPct;
}
