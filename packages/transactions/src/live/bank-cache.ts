import type { ReadOptions } from '@lending/chain';
import { isLendingError } from '@lending/errors';
import { decodeBank, type P0Bank } from '@lending/venues';
import type { Address } from '@solana/kit';
import { BoundedCache } from '#bounded-cache.ts';
import { createAccountSet } from './account-set.ts';
import { accountsOfBank, type BankRole } from './bank-accounts.ts';
import { type AccountFetcher, fetchUntilClosed } from './fetch-until-closed.ts';
import type { ReadAccount } from './live-accounts.ts';

/** A bank as it was last seen: it says what to ask for, and decides nothing. */
export interface CachedBank {
  readonly bank: P0Bank;
  /** Owner of the mint; null where that was not seen. */
  readonly tokenProgram: Address | null;
  /** Every account the bank was read with, by what for; null where it was not read so. */
  readonly accounts: Readonly<Record<BankRole, readonly Address[] | null>>;
}

/** What a process remembers between builds, so that one wave of reads is enough. */
export interface BankCache {
  find(bank: Address): CachedBank | undefined;
  /** Replaces what is known of a bank with what was just read. */
  remember(bank: P0Bank, role: BankRole, read: ReadAccount): Promise<void>;
  /** A lookup table's addresses, while they are young enough to be used. */
  findTable(table: Address): readonly Address[] | undefined;
  rememberTable(table: Address, addresses: readonly Address[]): void;
  /**
   * Reads banks with all they ask for. One that cannot be read is left out: an action in it says why.
   * @throws CHAIN__RPC_UNAVAILABLE, CHAIN__RPC_TIMED_OUT, CHAIN__RPC_INVALID
   */
  warm(
    chain: AccountFetcher,
    program: Address,
    banks: readonly Address[],
    options?: Pick<ReadOptions, 'signal'>,
  ): Promise<void>;
}

/** Tables grow by the hour at most, and an address that is missing only makes a transaction longer. */
const TABLE_MAX_AGE_MS = 5 * 60_000;
/** Aggregators name tables of their own, as many as there are pools; a full one takes some 20 kB. */
const MAX_TABLES = 500;

/** @param now milliseconds of a clock that does not go back. */
export function createBankCache(now: () => number = () => performance.now()): BankCache {
  const banks = new Map<Address, CachedBank>();
  const tables = new BoundedCache<{ readonly addresses: readonly Address[]; readonly readAt: number }>(MAX_TABLES);

  async function remember(bank: P0Bank, role: BankRole, read: ReadAccount): Promise<void> {
    const known = banks.get(bank.address);
    const found = await accountsOfBank(bank, role, read);
    banks.set(bank.address, {
      bank,
      tokenProgram: read(bank.mint)?.owner ?? known?.tokenProgram ?? null,
      accounts: { target: null, held: null, ...known?.accounts, [role]: found },
    });
  }

  return {
    find: (bank) => banks.get(bank),
    remember,
    findTable(table) {
      const known = tables.get(table);
      return known !== undefined && now() - known.readAt < TABLE_MAX_AGE_MS ? known.addresses : undefined;
    },
    rememberTable(table, addresses) {
      tables.set(table, { addresses, readAt: now() });
    },
    async warm(chain, program, addresses, { signal } = {}) {
      const set = createAccountSet();
      const readable = () =>
        addresses.map((address) => tryDecode(set.get(address), program)).filter((it) => it !== null);
      await fetchUntilClosed(
        chain,
        set,
        async () => {
          const accounts = await Promise.all(
            readable().map((bank) => orNone(accountsOfBank(bank, 'target', set.get), [])),
          );
          return new Set([...addresses, ...accounts.flat()]);
        },
        signal,
      );
      for (const bank of readable()) {
        await orNone(remember(bank, 'target', set.get), undefined);
        await orNone(remember(bank, 'held', set.get), undefined);
      }
    },
  };
}

/** What a bank that cannot be read leaves. */
async function orNone<T>(reading: Promise<T>, none: T): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (isLendingError(error)) return none;
    throw error;
  }
}

function tryDecode(account: ReturnType<ReadAccount>, program: Address): P0Bank | null {
  try {
    return account ? decodeBank(account, program) : null;
  } catch (error) {
    if (isLendingError(error)) return null;
    throw error;
  }
}
