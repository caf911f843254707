import type { BuildDeps } from '@lending/api';
import type { P0Bank } from '@lending/venues';
import type { KeyPairSigner } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askAt } from './ask.ts';
import { makeAttempt } from './attempt.ts';
import { type BuildersWorld, openBuildersWorld } from './builders-world.ts';
import { createDice } from './dice.ts';
import { fund, makeAccount } from './made-wallet.ts';
import { baseWorth } from './worth.ts';

type Simulator = BuildDeps['simulator'];
type Simulated = Awaited<ReturnType<Simulator['simulate']>>;

let world: BuildersWorld;
let wallet: KeyPairSigner;
let bank: P0Bank;

/** What holds builds to their promises is held here to noticing when they break them. */
describe('makeAttempt', () => {
  beforeAll(async () => {
    world = await openBuildersWorld();
    wallet = await createDice('attempt').wallet();
    bank = world.banks.find(({ venue, decimals }) => venue === 'p0' && decimals === 6) as P0Bank;
    await fund(world.ledger, wallet, 10_000_000_000n, [[bank, baseWorth(world.ledger, bank, 500)]]);
    await makeAccount(world.ledger, wallet.address, [{ bank, side: 'asset', usd: 100 }]);
  });

  afterAll(async () => {
    await world?.stop();
  });

  it('lets a promise that is kept pass', async () => {
    await expect(attempt({})).resolves.toMatchObject({ kind: 'landed' });
  });

  it('notices a lamport that was promised and did not come', async () => {
    const simulator = changing((address, account) =>
      address === wallet.address ? { ...account, lamports: account.lamports + 1n } : account,
    );
    await expect(attempt({ simulator })).rejects.toThrow('token_changes');
  });

  it('notices a health that is another', async () => {
    const { address: bankAddress } = bank;
    const simulator = changing((address, account) => {
      if (address !== bankAddress) return account;
      // The lowest byte of what a share is worth.
      const data = new Uint8Array(account.data);
      data[80] = (data[80] ?? 0) ^ 1;
      return { ...account, data };
    });
    await expect(attempt({ simulator })).rejects.toThrow('post_health');
  });

  it('notices a refusal of what would have landed', async () => {
    const simulator: Simulator = {
      async simulate(transactions, watch, options) {
        const outcome = await world.deps.simulator.simulate(transactions, watch, options);
        const { slot, by, transactions: done } = outcome;
        return {
          kind: 'failed',
          slot,
          by,
          index: 0,
          transactions: done,
          error: null,
          reason: 'AccountInUse',
          logs: [],
        };
      },
    };
    await expect(attempt({ simulator })).rejects.toThrow('landed when it was sent in spite of it');
  });
});

function attempt(deps: Partial<BuildDeps>) {
  const request = askAt('deposit', wallet.address, bank, baseWorth(world.ledger, bank, 10));
  return makeAttempt(world, { aim: 'test', wallet, bank, request, deps });
}

/** A simulator that is wrong about accounts. */
function changing(
  change: (
    address: string,
    account: NonNullable<ReturnType<AfterOf['get']>>,
  ) => NonNullable<ReturnType<AfterOf['get']>>,
): Simulator {
  return {
    async simulate(transactions, watch, options) {
      const outcome = await world.deps.simulator.simulate(transactions, watch, options);
      if (outcome.kind === 'failed') return outcome;
      const after = [...outcome.after].map(
        ([address, account]) => [address, account === null ? null : change(address, account)] as const,
      );
      return { ...outcome, after: new Map(after) };
    },
  };
}

type AfterOf = Extract<Simulated, { readonly kind: 'passed' }>['after'];
