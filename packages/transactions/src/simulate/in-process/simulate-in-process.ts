import type { Chain } from '@lending/chain';
import { LendingError } from '@lending/errors';
import { type Address, getTransactionDecoder } from '@solana/kit';
import type { CompiledTransaction } from '#compile/compiled-transaction.ts';
import type { SimulateOptions, SimulationOutcome } from '../simulator.ts';
import { ProgramCodes } from './program-codes.ts';
import { readScene } from './read-scene.ts';
import { type PoolOptions, WorkerPool } from './worker-pool.ts';

const decoder = getTransactionDecoder();

/** Runs transactions on this machine, with accounts and programs read from the node. */
export interface InProcessSimulator {
  simulate(
    transactions: readonly CompiledTransaction[],
    watch: readonly Address[],
    options?: SimulateOptions,
  ): Promise<SimulationOutcome>;
  close(): Promise<void>;
}

/** Nothing is started before it is needed; threads end when `close` resolves. */
export function createInProcessSimulator(
  chain: Pick<Chain, 'fetchAccounts' | 'rpc'>,
  options: PoolOptions = {},
): InProcessSimulator {
  const pool = new WorkerPool(options);
  const codes = new ProgramCodes(chain);
  return {
    async simulate(transactions, watch, simulateOptions = {}) {
      const { slot, ...scene } = await readScene(chain, codes, transactions, simulateOptions);
      const named = new Set(transactions.flatMap(({ accounts }) => accounts));
      const job = {
        ...scene,
        transactions: transactions.map(({ wire }) => decoder.decode(wire)),
        watch: [...new Set(watch)].filter((address) => named.has(address)),
      };
      const outcome = await pool.run(job, simulateOptions);
      if (outcome.kind === 'no_code') throw withoutCode(outcome.program);
      return outcome.kind === 'passed' ? { ...outcome, slot, after: new Map(outcome.after) } : { ...outcome, slot };
    },
    close: () => pool.close(),
  };
}

function withoutCode(program: Address): LendingError {
  return new LendingError('DATA__UNAVAILABLE', {
    message: `Several transactions cannot be simulated: the RPC node has no bundle simulation and gives no code of ${program}`,
    context: { program },
  });
}
