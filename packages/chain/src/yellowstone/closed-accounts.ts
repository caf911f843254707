import type { Address } from '@solana/kit';
import type { TransactionRecord } from '../transaction-record.ts';

/**
 * Accounts that may have been the program's and that a slot's transactions, in their order, left without lamports.
 *
 * The runtime hands a closed account to the system program, so that no filter by owner finds its last write. But lamports of a program's
 * account are taken by the program alone: the transaction names it. What no account of a program can be is left out: signers and
 * token accounts. Some others remain, which whoever listens does not know.
 * @see https://github.com/rpcpool/yellowstone-grpc/issues/275
 */
export function findClosedAccounts(program: Address, records: readonly TransactionRecord[]): readonly Address[] {
  const closed = new Set<Address>();
  for (const { isFailed, instructions, lamports, signers, tokenBalances, writable } of records) {
    if (isFailed) continue;
    const handed = new Set(instructions.flatMap(({ programId, accounts }) => (programId === program ? accounts : [])));
    const others = new Set<Address>([...signers, ...tokenBalances.map(({ account }) => account)]);
    const changeable = new Set(writable);
    for (const { account, before, after } of lamports) {
      if (after > 0n) closed.delete(account);
      else if (before > 0n && handed.has(account) && changeable.has(account) && !others.has(account))
        closed.add(account);
    }
  }
  return [...closed];
}
