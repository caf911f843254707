import { ASSET_TAG, symbolOfKnownMint } from '@lending/domain';
import type { Address } from '@solana/kit';
import type { BankEntry } from '#reads/bank-snapshot.ts';
import { cleanText } from '#reads/clean-text.ts';
import { findAccounts } from '#reads/find-accounts.ts';
import type { ReadDeps } from '#reads/read-deps.ts';
import type { StrategyEntry } from '#reads/strategy-snapshot.ts';
import { venueOf } from '#reads/venue-of.ts';
import type { BuildTables, KnownBank, LiquidPair } from './build-deps.ts';

/** Banks named at most where one named a token instead of a bank. */
const MOST_CANDIDATES = 20;

/**
 * What the tables know of banks and accounts. A wallet that nobody followed yet is waited for as a read would; what is still not known
 * then has to be asked of the chain. What tables hold as an address was one when it was projected, and is not proven again: that takes
 * longer than reading it.
 */
export function createBuildTables(reads: ReadDeps): BuildTables {
  const entries = async () => [...(await reads.banks.get()).entries.values()];
  return {
    async findBank(address) {
      const entry = (await reads.banks.get()).entries.get(address);
      return entry === undefined ? null : toKnownBank(entry);
    },
    async findBanksLike(text) {
      const wanted = text.trim().toLowerCase();
      const isLike = ({ record }: BankEntry) => record.mint === text.trim() || record.symbol?.toLowerCase() === wanted;
      return (await entries()).filter(isLike).map(toKnownBank).sort(ownPoolsFirst).slice(0, MOST_CANDIDATES);
    },
    async listBorrowable(mint) {
      return (await entries()).filter(({ record }) => record.mint === mint && record.borrowable).map(toKnownBank);
    },
    async listPairs() {
      const { strategies } = await reads.strategies.get();
      return strategies.map(({ strategy }) => toLiquidPair(strategy));
    },
    async accountsOf(authority) {
      const { accounts, cover } = await findAccounts(reads, authority);
      const own = accounts.filter((row) => row.authority === authority);
      return {
        accounts: own.map((row) => ({ address: row.address as Address, banks: banksOf(row) })),
        isComplete: cover.isComplete,
      };
    },
    async banksOfAccount(account) {
      const { accounts } = await findAccounts(reads, account);
      const row = accounts.find(({ address }) => address === account);
      return row === undefined ? null : banksOf(row);
    },
  };
}

function banksOf({ balances }: { readonly balances: readonly { readonly bank: string }[] }): readonly Address[] {
  return balances.map(({ bank }) => bank as Address);
}

function toLiquidPair({ type, supply, borrow, swap, maxLeverageHundredths }: StrategyEntry['strategy']): LiquidPair {
  const bankOf = ({ address, mint, venue }: StrategyEntry['strategy']['supply']) => ({
    address: address as Address,
    mint: mint as Address,
    venue,
  });
  const pair = { deposit: bankOf(supply), borrow: bankOf(borrow), maxLeverageHundredths };
  if (type === 'rate_arbitrage') return { ...pair, depthUsd: Number.POSITIVE_INFINITY };
  if (swap === null) return { ...pair, depthUsd: 0 };
  return { ...pair, depthUsd: swap.depthUsd === null ? Number.POSITIVE_INFINITY : Number(swap.depthUsd >> 48n) };
}

function toKnownBank({ record, row }: BankEntry): KnownBank {
  return {
    address: record.address as Address,
    symbol: symbolOfKnownMint(record.mint) ?? cleanText(record.symbol) ?? `${record.mint.slice(0, 4)}…`,
    venue: venueOf(record.venue),
    mint: record.mint as Address,
    decimals: row.decimals,
    // By its kind alone: a debt in a bank that lends no more at present is still repaid.
    isBorrowable: row.venue === 'p0' && row.asset_tag !== ASSET_TAG.staked,
    operationalState: record.operational_state,
  };
}

function ownPoolsFirst(one: KnownBank, other: KnownBank): number {
  return Number(other.venue === 'p0') - Number(one.venue === 'p0') || (one.address < other.address ? -1 : 1);
}
