import type { Address, Signature } from '@solana/kit';
import type { AccountSource, ExecutionResult } from '#engine/engine.ts';
import { readTokenBalance, type TokenBalance } from './token-balance.ts';

/** A transaction of a block, with everything `getTransaction` tells about it. */
export interface TransactionRecord {
  readonly signature: Signature;
  readonly wire: Uint8Array;
  readonly slot: bigint;
  /** Position in its block. */
  readonly index: number;
  readonly unixTimestamp: bigint;
  readonly result: Omit<ExecutionResult, 'writes'>;
  /** Compute unit price bid, micro-lamports per unit. */
  readonly unitPrice: bigint;
  readonly writableAccounts: readonly Address[];
  readonly preTokenBalances: readonly TokenBalance[];
  readonly postTokenBalances: readonly TokenBalance[];
}

/** Whether it was executed, or charged at least: what is charged pays for its signatures. */
export function didRun({ error, fee }: TransactionRecord['result']): boolean {
  return error === null || fee > 0n;
}

/** Token balances of a transaction's accounts, by their position. */
export function listTokenBalances(keys: readonly Address[], accounts: AccountSource): readonly TokenBalance[] {
  return keys.flatMap((address, accountIndex) => readTokenBalance(accountIndex, address, accounts) ?? []);
}
