import type { Chain } from '@lending/chain';
import {
  type AccountBytes,
  discoverLsts,
  type EpochRate,
  type LstKeys,
  type LstReading,
  nativeAprOf,
  readLst,
  rememberRate,
  UNLISTED_LSTS,
} from '@lending/venues';
import type { Address } from '@solana/kit';
import { createAgingList } from './aging-list.ts';
import { type EpochMoment, type RecalledRates, recallEpochRates } from './epoch-recall.ts';
import { toListAccounts } from './list-accounts.ts';
import { type NativeRate, NO_NATIVE_RATE } from './native-rate.ts';

export interface NativeRatesOptions {
  readonly chain: Chain;
  /** How old the list of pools may get before it is asked for again, in milliseconds. */
  readonly maxAgeMs: number;
  /** What was measured before this process began; without it a pool that keeps no past has no yield for two epochs. */
  readonly recall: RecalledRates | null;
  /** A pool that cannot be read. Its token has no native rate then; whatever holds it is sampled all the same. */
  readonly onReject: (pool: Address, error: unknown) => void;
  /** Told how every search for pools went: null when it succeeded. */
  readonly onSearch: (error: unknown) => void;
  /** Told when what was measured before could not be asked for; it is asked for again later. */
  readonly onRecallFailure: (error: unknown) => void;
}

/** Who holds a token: a bank or a reserve. */
export interface Holder {
  readonly address: Address;
  readonly mint: Address;
}

/** Knows which tokens earn by themselves, and measures what. */
export interface NativeRates {
  /** Looks for pools where the list is missing or too old. Nobody waits for it: until it is there no native rate is known. */
  refresh(signal: AbortSignal): void;
  /** Accounts that say what a token is worth, to be read beside whatever holds it; none for most tokens. */
  accountsOf(mint: Address): readonly Address[];
  /** @param own what the holder's own accounts say of its token, where they do. */
  read(holder: Holder, find: Find, moment: EpochMoment, own?: LstReading | null): NativeRate;
  /** Resolves when nothing is asked for any more. */
  idle(): Promise<void>;
}

type Find = (address: Address) => AccountBytes | null;

export function createNativeRates(options: NativeRatesOptions): NativeRates {
  const { chain, maxAgeMs, onReject, onSearch } = options;
  const pools = createAgingList<LstKeys>({
    search: async (signal) => [...(await discoverLsts(toListAccounts(chain, signal), onReject)).values()],
    maxAgeMs,
    onSearch,
    unlisted: UNLISTED_LSTS.length,
  });
  const recall = recallEpochRates(options);
  const seen = new Map<Address, readonly EpochRate[]>();
  let byMint: ReadonlyMap<Address, LstKeys> = new Map();
  let refreshing: Promise<void> | undefined;

  async function look(signal: AbortSignal): Promise<void> {
    const found = await pools.get(signal).catch(() => []);
    byMint = new Map(found.map((keys) => [keys.mint, keys]));
    refreshing = undefined;
  }

  function readPool(mint: Address, find: Find): LstReading | null {
    const keys = byMint.get(mint);
    if (keys === undefined) return null;
    try {
      return readLst(keys, keys.accounts.map(find));
    } catch (error) {
      onReject(keys.accounts[0] ?? mint, error);
      return null;
    }
  }

  return {
    refresh(signal) {
      refreshing ??= look(signal);
    },
    accountsOf: (mint) => byMint.get(mint)?.accounts ?? [],
    read({ address, mint }, find, moment, own = null) {
      const reading = own ?? readPool(mint, find);
      if (reading === null) return NO_NATIVE_RATE;
      const { exchangeRateE18: rateE18 } = reading;
      const known = seen.get(mint) ?? [];
      const past = reading.previousEpochRateE18 === null ? recall.complete(address, known, moment) : known;
      const kept = rememberRate(past, { epoch: moment.epoch, rateE18 });
      seen.set(mint, kept);
      return { apr: nativeAprOf(reading, kept, moment), exchangeRate: rateE18 };
    },
    idle: async () => {
      await Promise.all([refreshing, pools.idle(), recall.idle()]);
    },
  };
}
