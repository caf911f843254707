import type { AccountRow } from '@lending/store';
import type { BankSnapshot } from '#reads/bank-snapshot.ts';
import { findAccounts } from '#reads/find-accounts.ts';
import { findBank } from '#reads/find-bank.ts';
import type { ReadDeps } from '#reads/read-deps.ts';
import type { ReserveSnapshot } from '#reads/reserve-snapshot.ts';
import { onlyAccount } from '#tools/account-answer.ts';
import type { LiveQuestion } from './live-hub.ts';

/** Finds what a stream names, before it begins: an address that is nothing is an error then, not silence for ever. */

/** Accounts of a wallet that are looked for by name as well. */
const MOST_ACCOUNTS = 100;

/** Whether the rates of something else than banks are asked for: reserves are many, and else not read. */
export function areReservesAsked({ rates }: LiveQuestion, banks: Pick<BankSnapshot, 'entries'>): boolean {
  if (typeof rates === 'string') return rates === 'all';
  return rates.some((address) => !banks.entries.has(address));
}

/** @throws READ__BANK_NOT_FOUND, or DATA__NOT_READY for a bank that cannot be read at present. */
export function checkBanks(
  { rates, banks }: LiveQuestion,
  snapshot: BankSnapshot,
  reserves: Pick<ReserveSnapshot, 'entries'> | null,
): void {
  const pools = typeof rates === 'string' ? [] : rates.filter((address) => !reserves?.entries.has(address));
  for (const address of [...pools, ...(typeof banks === 'string' ? [] : banks)]) findBank(snapshot, address);
}

/**
 * The accounts whose health is asked for, in that order; of a wallet, its only one.
 * @throws READ__ACCOUNT_NOT_FOUND or READ__ACCOUNT_MISMATCH; DATA__NOT_READY while one is read for the first time.
 */
export async function findHealthAccounts(
  reads: Pick<ReadDeps, 'store' | 'follows'>,
  { health }: LiveQuestion,
  banks: BankSnapshot,
  callName: string,
): Promise<readonly AccountRow[]> {
  return Promise.all(
    health.map(async (address) => onlyAccount(await findAccounts(reads, address), address, banks, callName)),
  );
}

/** These addresses, and the accounts of those that are wallets. Each is followed from now on. */
export async function namesOf(
  { store, follows }: Pick<ReadDeps, 'store' | 'follows'>,
  addresses: readonly string[],
): Promise<readonly string[]> {
  const owned = await Promise.all(
    addresses.map(async (address) => {
      const { answer } = await follows.cover(address, 'activity', async () => true);
      const accounts = answer?.accounts ?? (await store.readAccountsOf(address)).map((row) => row.address);
      return accounts.slice(0, MOST_ACCOUNTS);
    }),
  );
  return [...new Set([...addresses, ...owned.flat()])];
}
