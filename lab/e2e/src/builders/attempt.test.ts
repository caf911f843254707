import type { LeverageDeps } from '@lending/api';
import type { P0Bank } from '@lending/venues';
import type { KeyPairSigner } from '@solana/kit';
import { beforeAll, describe, expect, it } from 'vitest';
import { asset } from './accounts.ts';
import { judge } from './justify.ts';
import { useScene } from './scene.ts';

type Simulator = LeverageDeps['simulator'];
type After = Extract<Awaited<ReturnType<Simulator['simulate']>>, { readonly kind: 'passed' }>['after'];
type State = NonNullable<ReturnType<After['get']>>;

const scene = useScene('attempt', judge);
let wallet: KeyPairSigner;
let bank: P0Bank;

/** What compares builds with their promises has to notice when they break them. */
describe('judge', () => {
  beforeAll(async () => {
    bank = scene.world.banks.find(({ venue, decimals }) => venue === 'p0' && decimals === 6) as P0Bank;
    wallet = await scene.walletWith(10_000_000_000n, [bank, 500]);
    await scene.account(wallet, [asset(bank, 100)]);
  });

  it('lets a promise that is kept pass', async () => {
    await expect(deposit(scene.world.deps.simulator)).resolves.toMatchObject({ kind: 'landed' });
  });

  it('notices a lamport that was promised and did not come', async () => {
    const simulator = changing(wallet.address, (account) => ({ ...account, lamports: account.lamports + 1n }));
    await expect(deposit(simulator)).rejects.toThrow('token_changes');
  });

  it('notices a health that is another', async () => {
    const simulator = changing(bank.address, (account) => {
      // The lowest byte of what a share is worth.
      const data = new Uint8Array(account.data);
      data[80] = (data[80] ?? 0) ^ 1;
      return { ...account, data };
    });
    await expect(deposit(simulator)).rejects.toThrow('post_health');
  });

  it('notices a refusal of what would have landed', async () => {
    const simulator: Simulator = {
      async simulate(...simulated) {
        const { slot, by, transactions } = await scene.world.deps.simulator.simulate(...simulated);
        const failure = { kind: 'failed', index: 0, error: null, reason: 'AccountInUse', logs: [] } as const;
        return { ...failure, slot, by, transactions };
      },
    };
    await expect(deposit(simulator)).rejects.toThrow('landed when it was sent in spite of it');
  });
});

function deposit(simulator: Simulator) {
  return scene.act(wallet, 'deposit', bank, scene.worth(bank, 10), {}, { deps: { simulator } });
}

/** A simulator that is wrong about one account. */
function changing(wrong: string, change: (state: State) => State): Simulator {
  return {
    async simulate(...simulated) {
      const outcome = await scene.world.deps.simulator.simulate(...simulated);
      if (outcome.kind === 'failed') return outcome;
      const after = [...outcome.after].map(
        ([address, state]) => [address, state !== null && address === wrong ? change(state) : state] as const,
      );
      return { ...outcome, after: new Map(after) };
    },
  };
}
