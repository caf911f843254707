import type { Chain } from '@lending/chain';
import { isLendingError } from '@lending/errors';
import type { Address, Base64EncodedWireTransaction } from '@solana/kit';
import type { CompiledTransaction } from '#compile/compiled-transaction.ts';
import { toAccountsAfter, toBase64, toSimulatedTransaction } from './node-answer.ts';
import type { SimulateOptions, SimulationOutcome } from './simulator.ts';
import { isLookupFailure, readTransactionFailure } from './transaction-failure.ts';

/** One transaction, by `simulateTransaction`: the node's own state, in one request. */
export async function simulateOnNode(
  { rpc }: Pick<Chain, 'rpc'>,
  transaction: CompiledTransaction,
  watch: readonly Address[],
  { signal, minContextSlot }: SimulateOptions = {},
): Promise<SimulationOutcome> {
  const addresses = [...new Set(watch)].filter((address) => transaction.accounts.includes(address));
  const abort = signal === undefined ? {} : { abortSignal: signal };
  const answer = await rpc
    .simulateTransaction(toBase64(transaction.wire) as Base64EncodedWireTransaction, {
      encoding: 'base64',
      commitment: 'confirmed',
      sigVerify: false,
      replaceRecentBlockhash: true,
      innerInstructions: false,
      accounts: { encoding: 'base64', addresses },
      ...(minContextSlot !== undefined && { minContextSlot }),
    })
    .send(abort)
    .catch((error: unknown) => {
      if (isLendingError(error, 'CHAIN__RPC_INVALID') && isLookupFailure({ reason: error.message })) return error;
      throw error;
    });
  // A node looks addresses up before it runs anything, and answers no slot where it cannot.
  if (isLendingError(answer)) {
    const slot = await rpc.getSlot({ commitment: 'confirmed' }).send(abort);
    const [, reason = answer.message] = /invalid transaction: (.+)/.exec(answer.message) ?? [];
    return { kind: 'failed', slot, index: 0, transactions: [], error: null, reason, logs: [] };
  }
  const { context, value } = answer;
  const slot = BigInt(context.slot);
  const simulated = toSimulatedTransaction(value);
  if (value.err === null)
    return { kind: 'passed', slot, transactions: [simulated], after: toAccountsAfter(addresses, value.accounts) };
  return {
    kind: 'failed',
    slot,
    index: 0,
    transactions: [],
    ...readTransactionFailure(value.err),
    logs: simulated.logs,
  };
}
