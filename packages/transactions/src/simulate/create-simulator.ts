import type { Chain } from '@lending/chain';
import { isLendingError } from '@lending/errors';
import { isSolanaError, SOLANA_ERROR__JSON_RPC__METHOD_NOT_FOUND } from '@solana/kit';
import { createInProcessSimulator } from './in-process/simulate-in-process.ts';
import type { PoolOptions } from './in-process/worker-pool.ts';
import { simulateBundle } from './simulate-bundle.ts';
import { simulateOnNode } from './simulate-on-node.ts';
import type { Simulator } from './simulator.ts';

export interface SimulatorOptions {
  readonly chain: Pick<Chain, 'fetchAccounts' | 'rpc'>;
  /** Threads for what the node does not simulate. */
  readonly inProcess?: PoolOptions;
  /** Wall clock, ms since 1970. */
  readonly now?: () => number;
}

/** Providers add the method rarely, and a call that is refused costs a round trip. */
const ASK_AGAIN_MS = 24 * 3_600_000;

/** A simulator with threads that have to end. */
export type OwnedSimulator = Simulator & { close(): Promise<void> };

/**
 * Simulates one transaction on the node, several there too where it has bundle simulation, and in this process otherwise. Whether any
 * of the nodes has it is remembered for a day.
 */
export function createSimulator({ chain, inProcess, now = Date.now }: SimulatorOptions): OwnedSimulator {
  const machines = createInProcessSimulator(chain, inProcess);
  let askAgainAtMs = 0;
  return {
    async simulate(transactions, watch, options = {}) {
      options.signal?.throwIfAborted();
      const [first, ...others] = transactions;
      if (first === undefined) throw new RangeError('There is no transaction to simulate');
      if (others.length === 0) return { ...(await simulateOnNode(chain, first, watch, options)), by: 'node' };
      if (now() >= askAgainAtMs) {
        const bundled = await simulateBundle(chain, transactions, watch, options).catch((error: unknown) => {
          options.signal?.throwIfAborted();
          if (isMissingMethod(error)) askAgainAtMs = now() + ASK_AGAIN_MS;
          // Whatever it is, there is another way; where the node is gone, that one fails too and says so.
          return null;
        });
        if (bundled !== null) return { ...bundled, by: 'node_bundle' };
      }
      return { ...(await machines.simulate(transactions, watch, options)), by: 'in_process' };
    },
    close: () => machines.close(),
  };
}

function isMissingMethod(error: unknown): boolean {
  return (
    isLendingError(error, 'CHAIN__RPC_INVALID') && isSolanaError(error.cause, SOLANA_ERROR__JSON_RPC__METHOD_NOT_FOUND)
  );
}
