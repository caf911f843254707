import type { Chain } from '@lending/chain';
import type { OperationalState, RelaxedRules, Venue } from '@lending/domain';
import type { Logger } from '@lending/runtime';
import type { BankCache, Cranker, LimitMemory, Simulator, SwapFinder } from '@lending/transactions';
import type { Address } from '@solana/kit';
import type { ReadDeps } from '#reads/read-deps.ts';
import type { ProgramWatch } from './program-watch.ts';
import type { SlotTime } from './slot-time.ts';
import type { Turns } from './turns.ts';

/** A bank as the tables know it: enough to read amounts, to refuse what no bytes are needed for, and to word an answer. */
export interface KnownBank {
  readonly address: Address;
  /** A ticker of our list or of the chain, cleaned. */
  readonly symbol: string;
  readonly venue: Venue;
  readonly mint: Address;
  readonly decimals: number;
  readonly isBorrowable: boolean;
  readonly operationalState: OperationalState | 'Suspended';
}

/** Lending accounts of a wallet. */
export interface KnownAccounts {
  /** With the banks of their balances. */
  readonly accounts: readonly { readonly address: Address; readonly banks: readonly Address[] }[];
  /** False where the wallet may have others: nobody followed it yet, or nobody follows. */
  readonly isComplete: boolean;
}

/** Two banks that a loop may use, and how liquid the swap between their tokens is. */
export interface LiquidPair {
  readonly deposit: Pick<KnownBank, 'address' | 'mint' | 'venue'>;
  readonly borrow: Pick<KnownBank, 'address' | 'mint' | 'venue'>;
  /** Hundredths. */
  readonly maxLeverageHundredths: bigint;
  /**
   * Whole USD, rounded down: the largest swap whose own size costs no more than a builder allows. Infinity where nothing is swapped, or
   * the largest that was quoted passes; 0 where no quote is known.
   */
  readonly depthUsd: number;
}

/** What the tables say: they choose what is asked of the chain and decide nothing. */
export interface BuildTables {
  /** Null: no such bank. */
  findBank(address: string): Promise<KnownBank | null>;
  /** Banks whose ticker or mint it is, for whoever named one so. */
  findBanksLike(text: string): Promise<readonly KnownBank[]>;
  /** P0 banks of a mint that lend out. */
  listBorrowable(mint: Address): Promise<readonly KnownBank[]>;
  /** Every pair that a loop may use, to name one in an error. Empty where none is known. */
  listPairs(): Promise<readonly LiquidPair[]>;
  accountsOf(authority: Address): Promise<KnownAccounts>;
  /** Banks of an account's balances; null where the account is not known. */
  banksOfAccount(account: Address): Promise<readonly Address[] | null>;
}

/** What the service lets a swap cost; a caller's policy may be stricter, and says the slippage. */
export interface SwapBounds {
  readonly slippageBps: number;
  /** Parts, 18 decimals. */
  readonly maxPriceImpactE18: bigint;
  readonly maxDeviationE18: bigint;
}

/** What a build needs. Everything else is in its request. */
export interface BuildDeps {
  readonly chain: Chain;
  readonly tables: BuildTables;
  readonly simulator: Simulator;
  readonly cranker: Cranker;
  /** What the process remembers of banks and lookup tables, so that one wave of reads is enough. */
  readonly banks: BankCache;
  /** What it remembers of the units that transactions take. */
  readonly limits: LimitMemory;
  readonly slotTime: SlotTime;
  /** Keeps builds from taking the process for themselves. */
  readonly turns: Turns;
  readonly program: Address;
  readonly programWatch: Pick<ProgramWatch, 'version' | 'confirm' | 'deploySlot'>;
  /** In what the program as it runs was seen to be less strict than is assumed. */
  readonly relaxed: () => RelaxedRules;
  /** Whether our figures of a bank agree with the program's own. */
  readonly audits: Pick<ReadDeps['audits'], 'get'>;
  readonly overruledUntil: ReadDeps['overruledUntil'];
  readonly group: Address;
  /** Lookup tables that hold the market's addresses. */
  readonly lookupTables: readonly Address[];
  /** No level of priority pays more than this, micro-lamports for a compute unit. */
  readonly maxMicroLamportsPerUnit: bigint;
  /** What a bundle pays the builder of its block, lamports. */
  readonly tipLamports: bigint;
  readonly logger: Logger;
  /** Wall clock, ms since 1970. */
  readonly now: () => number;
}

/** What building a loop or a close needs besides. */
export interface LeverageDeps extends BuildDeps {
  readonly swaps: SwapFinder;
  readonly swapBounds: SwapBounds;
  /** Programs that swaps go through: what they end in is told as a swap's failure. */
  readonly swapPrograms: readonly Address[];
}
