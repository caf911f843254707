import type { Chain } from '@lending/chain';
import { type MintText, readMintText } from '@lending/venues';
import type { Address } from '@solana/kit';

/** What mints say of their tokens; each is read once in a while. */
export interface MintTexts {
  /** Mints that cannot be read are missing from the answer. */
  fetch(mints: readonly Address[], signal: AbortSignal): Promise<ReadonlyMap<Address, MintText>>;
}

/** Decimals never change, names hardly ever: what falls out of the bound is read again. */
const CAPACITY = 10_000;

export function createMintTexts(chain: Pick<Chain, 'fetchAccounts'>, capacity: number = CAPACITY): MintTexts {
  const known = new Map<Address, MintText>();
  return {
    async fetch(mints, signal) {
      const wanted = [...new Set(mints)];
      const found = new Map<Address, MintText>();
      for (const mint of wanted) {
        const text = known.get(mint);
        if (text !== undefined) found.set(mint, text);
      }
      const missing = wanted.filter((mint) => !found.has(mint));
      const batches = missing.length === 0 ? [] : await chain.fetchAccounts(missing, { signal });
      for (const { accounts } of batches) {
        for (const account of accounts) {
          const text = account && readMintText(account);
          if (!text) continue;
          found.set(account.address, text);
          if (known.size >= capacity) known.clear();
          known.set(account.address, text);
        }
      }
      return found;
    },
  };
}
