import type { Chain } from '@lending/chain';
import type { Venue } from '@lending/domain';
import { bankFilters, decodeBank, type P0Bank } from '@lending/venues';
import type { Address } from '@solana/kit';
import { createAgingList } from './aging-list.ts';

export interface BankListOptions {
  readonly chain: Chain;
  readonly program: Address;
  readonly group: Address;
  /** How old the list may get before the group is searched again, in milliseconds. */
  readonly maxAgeMs: number;
  /** A bank of the group that cannot be read. It is left out; its neighbours are not. */
  readonly onReject: (bank: Address, error: unknown) => void;
  /** Told how every search went: null when it succeeded. */
  readonly onSearch: (error: unknown) => void;
}

/** The banks to ask for. */
export interface BankList {
  /**
   * Banks of one venue, as they were when last read. Waits for a search only while there is none, and fails with that one. A list
   * that is too old is answered as it is, while the group is searched again beside it.
   */
  get(venue: Venue, signal: AbortSignal): Promise<readonly P0Bank[]>;
  /** Keeps a fresher reading of a bank: its oracle or vault may have changed, and those are read beside it. */
  update(bank: P0Bank): void;
  /** Calls the list too old: it does not hold what was looked for. */
  expire(): void;
  /** Resolves when no search runs any more. */
  idle(): Promise<void>;
}

/** One search finds the banks of all venues, whose beats share the list. */
export function createBankList(options: BankListOptions): BankList {
  const { chain, program, group, maxAgeMs, onReject, onSearch } = options;
  const fresher = new Map<Address, P0Bank>();
  const list = createAgingList<P0Bank>({ search, maxAgeMs, onSearch });

  async function search(signal: AbortSignal): Promise<readonly P0Bank[]> {
    const { accounts } = await chain.fetchProgramAccounts(program, bankFilters(group), { signal });
    const banks: P0Bank[] = [];
    for (const account of accounts) {
      try {
        banks.push(decodeBank(account, program));
      } catch (error) {
        onReject(account.address, error);
      }
    }
    fresher.clear();
    return banks;
  }

  return {
    async get(venue, signal) {
      const banks = await list.get(signal);
      return banks.filter((bank) => bank.venue === venue).map((bank) => fresher.get(bank.address) ?? bank);
    },
    update: (bank) => void fresher.set(bank.address, bank),
    expire: () => list.expire(),
    idle: () => list.idle(),
  };
}
