import type { TransactionTrace } from '@lending/venues';
import type { Address, ReadonlyUint8Array } from '@solana/kit';
import type { AccountState, ExecutedInstruction, ExecutionResult } from '#engine/engine.ts';
import { decodeWireTransaction } from '#engine/wire-transaction.ts';
import { listTokenBalances } from '#ledger/transaction-record.ts';

/** Accounts as they stood at one moment. */
type Accounts = ReadonlyMap<Address, AccountState>;

/** What a transaction did, as the decoder of activity is handed it. */
export function traceOf(
  wire: Uint8Array,
  result: ExecutionResult,
  before: Accounts,
  after: Accounts,
): TransactionTrace {
  const { message } = decodeWireTransaction(wire);
  const keys = result.accountKeys;
  const at = (index: number): Address => {
    const key = keys[index];
    if (key === undefined) throw new TypeError(`The transaction names no account ${index}`);
    return key;
  };
  const resolve = (
    each: Pick<ExecutedInstruction, 'programIdIndex' | 'accounts'> & { readonly data: ReadonlyUint8Array },
  ) => ({
    programId: at(each.programIdIndex),
    accounts: each.accounts.map(at),
    data: new Uint8Array(each.data),
  });
  const innerOf = (index: number) => result.innerInstructions.find((each) => each.index === index)?.instructions ?? [];
  const [old, now] = [before, after].map((accounts) => listTokenBalances(keys, accounts));
  const touched = new Set([...(old ?? []), ...(now ?? [])].map(({ accountIndex }) => accountIndex));
  return {
    signature: 'signature',
    isFailed: result.error !== null,
    instructions: message.instructions.flatMap((own, instructionIndex) => [
      { instructionIndex, innerIndex: null, depth: 1, ...resolve(own) },
      ...innerOf(instructionIndex).map((inner, innerIndex) => ({
        instructionIndex,
        innerIndex,
        depth: inner.stackHeight,
        ...resolve(inner),
      })),
    ]),
    logs: result.logs,
    feePayer: at(0),
    signers: keys.slice(0, message.header.numSignerAccounts),
    feeLamports: result.fee,
    tokenBalances: [...touched].flatMap((index) => {
      const [one, other] = [old, now].map((side) => side?.find(({ accountIndex }) => accountIndex === index));
      const known = other ?? one;
      if (known === undefined) return [];
      const { mint, owner, decimals } = known;
      return [{ account: at(index), mint, owner, decimals, before: one?.amount ?? 0n, after: other?.amount ?? 0n }];
    }),
  };
}
