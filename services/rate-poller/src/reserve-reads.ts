import { accountsOfBank, type P0Bank, type ReserveKeys } from '@lending/venues';
import type { Address } from '@solana/kit';
import type { NativeRates } from './native-rates.ts';

/** Keys that one call takes beside the clock and the group. */
const MAX_KEYS = 98;

/** One group of accounts that are to be of one slot. */
export interface ReserveRead {
  /** Null for banks whose reserve is not known: their prices are read all the same. */
  readonly keys: ReserveKeys | null;
  /** Address of the reserve that the banks are on. */
  readonly reserve: Address | null;
  readonly banks: readonly Address[];
  readonly accounts: readonly Address[];
  /** Not so when the reserve has more banks than fit beside it, and this is another part of them. */
  readonly isFirst: boolean;
}

/** Puts every reserve together with the banks on it; banks of unknown reserves come last, each by itself. */
export function toReserveReads(
  reserves: readonly ReserveKeys[],
  banks: readonly P0Bank[],
  nativeRates: Pick<NativeRates, 'accountsOf'>,
): readonly ReserveRead[] {
  const readsOf = (keys: ReserveKeys | null, reserve: Address | null, on: readonly P0Bank[]) =>
    packBanks({ keys, reserve }, on, nativeRates);
  const known = new Set(reserves.map(({ address }) => address));
  const orphans = banks.filter(({ venueAccount }) => venueAccount === null || !known.has(venueAccount));
  return [
    ...reserves.flatMap((keys) =>
      readsOf(
        keys,
        keys.address,
        banks.filter((bank) => bank.venueAccount === keys.address),
      ),
    ),
    ...orphans.flatMap((bank) => readsOf(null, bank.venueAccount, [bank])),
  ];
}

function packBanks(
  about: Pick<ReserveRead, 'keys' | 'reserve'>,
  banks: readonly P0Bank[],
  nativeRates: Pick<NativeRates, 'accountsOf'>,
): readonly ReserveRead[] {
  const own = about.keys === null ? [] : [...about.keys.accounts, ...nativeRates.accountsOf(about.keys.mint)];
  const reads = [{ accounts: new Set(own), banks: [] as Address[] }];
  for (const bank of banks) {
    const wanted = [...accountsOfBank(bank), ...nativeRates.accountsOf(bank.mint)];
    let read = reads.at(-1);
    if (read === undefined || new Set([...read.accounts, ...wanted]).size > MAX_KEYS) {
      read = { accounts: new Set(own), banks: [] };
      reads.push(read);
    }
    for (const account of wanted) read.accounts.add(account);
    read.banks.push(bank.address);
  }
  return reads.map((read, index) => ({
    ...about,
    banks: read.banks,
    accounts: [...read.accounts],
    isFirst: index === 0,
  }));
}
