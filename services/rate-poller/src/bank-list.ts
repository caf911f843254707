import type { Chain } from '@lending/chain';
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
}

/** The banks to ask for. */
export interface BankList {
  /** Banks on P0's own pools, as they were when last read. Searches the group when the list is too old. */
  get(signal: AbortSignal): Promise<readonly P0Bank[]>;
  /** Keeps a fresher reading of a bank: its oracle or vault may have changed, and those are read beside it. */
  update(bank: P0Bank): void;
}

/** Banks on other venues are not polled yet: their rates come from accounts that are not decoded here. */
export function createBankList({ chain, program, group, maxAgeMs, onReject }: BankListOptions): BankList {
  const banks = new Map<Address, P0Bank>();
  let searchedAt = Number.NEGATIVE_INFINITY;

  async function search(signal: AbortSignal): Promise<void> {
    const { accounts } = await chain.fetchProgramAccounts(program, bankFilters(group), { signal });
    banks.clear();
    for (const account of accounts) {
      try {
        const bank = decodeBank(account, program);
        if (bank.venue === 'p0') banks.set(bank.address, bank);
      } catch (error) {
        onReject(account.address, error);
      }
    }
    searchedAt = performance.now();
  }

  return {
    async get(signal) {
      if (banks.size === 0 || performance.now() - searchedAt > maxAgeMs) await search(signal);
      return [...banks.values()];
    },
    update(bank) {
      if (banks.has(bank.address)) banks.set(bank.address, bank);
    },
  };
}
