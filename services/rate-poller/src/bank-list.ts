import type { Chain } from '@lending/chain';
import { isVenueDecoded } from '@lending/domain';
import { bankFilters, decodeBank, type P0Bank } from '@lending/venues';
import type { Address } from '@solana/kit';

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
   * Banks on venues that are decoded, as they were when last read. Waits for a search only while there is none, and fails with
   * that one. A list that is too old is answered as it is, while the group is searched again beside it.
   */
  get(signal: AbortSignal): Promise<readonly P0Bank[]>;
  /** Keeps a fresher reading of a bank: its oracle or vault may have changed, and those are read beside it. */
  update(bank: P0Bank): void;
  /** Resolves when no search runs any more. */
  idle(): Promise<void>;
}

/** Banks on venues that are not decoded are not polled: their rates come from accounts that cannot be read here. */
export function createBankList(options: BankListOptions): BankList {
  const { chain, program, group, maxAgeMs, onReject, onSearch } = options;
  const banks = new Map<Address, P0Bank>();
  let searchedAt = Number.NEGATIVE_INFINITY;
  let searching: Promise<void> | undefined;

  async function search(signal: AbortSignal): Promise<void> {
    try {
      await list(signal);
      onSearch(null);
    } catch (error) {
      if (!signal.aborted) onSearch(error);
      throw error;
    }
  }

  async function list(signal: AbortSignal): Promise<void> {
    const { accounts } = await chain.fetchProgramAccounts(program, bankFilters(group), { signal });
    banks.clear();
    for (const account of accounts) {
      try {
        const bank = decodeBank(account, program);
        if (isVenueDecoded(bank.venue)) banks.set(bank.address, bank);
      } catch (error) {
        onReject(account.address, error);
      }
    }
    searchedAt = performance.now();
  }

  /** Beside the beat: a node that serves accounts but no listing must not hold up the samples. */
  async function searchBeside(signal: AbortSignal): Promise<void> {
    try {
      await search(signal);
    } catch {
      // Told already; the old list goes on.
    } finally {
      searching = undefined;
    }
  }

  return {
    async get(signal) {
      if (banks.size === 0) await search(signal);
      else if (performance.now() - searchedAt > maxAgeMs) searching ??= searchBeside(signal);
      return [...banks.values()];
    },
    update(bank) {
      if (banks.has(bank.address)) banks.set(bank.address, bank);
    },
    idle: async () => searching,
  };
}
