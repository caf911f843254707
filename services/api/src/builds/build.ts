import type { Health, Ratio } from '@lending/domain';
import type { Blockhash, CompiledTransaction, SimulatorKind, SwapQuote, TriedSwap } from '@lending/transactions';
import type { Address } from '@solana/kit';
import type { BuildRequest } from './build-request.ts';

/** What a wallet has more or less of afterwards. Lamports of the wallet itself stand under wrapped SOL's mint, marked native. */
export interface TokenChange {
  readonly mint: Address;
  /** Null where the mint is not on our list. */
  readonly symbol: string | null;
  readonly decimals: number;
  readonly isNativeSol: boolean;
  /** Base units, signed. The native line has fees and rent in it. */
  readonly deltaBase: bigint;
  /** USD of one whole token at the price the simulation saw, exact decimal text; null where the build saw none. */
  readonly priceUsd: string | null;
}

/** An account's health as the program would value it. */
export interface JudgedHealth {
  readonly health: Health;
  /** 1 − debt ÷ assets, for an answer that must have one: collateral without a price counts nothing. */
  readonly factor: Ratio;
  /** Banks of its balances whose price could not be had or is too old: with any, the status is `unknown`. */
  readonly staleBanks: readonly string[];
}

/** What a bank pays and costs with the action in it, percent a year; null where unknown. */
export interface BankRates {
  readonly bank: Address;
  readonly depositApyPct: number | null;
  readonly borrowApyPct: number | null;
}

/** What a debt bears besides interest, percent a year; 0 where there is no such debt then. */
export interface PremiumChange {
  readonly bank: Address;
  readonly beforePct: number;
  readonly afterPct: number;
}

/** The swap of a loop or a close. */
export interface BuildSwap {
  readonly quote: SwapQuote;
  readonly inMint: Address;
  readonly inDecimals: number;
  readonly outMint: Address;
  readonly outDecimals: number;
  /** How much less the quote gives than what the input is worth at oracle prices, as a part of it, 18 decimals; negative is more. */
  readonly deviationE18: bigint;
  /** USD of the fee that the quote names, decimal text; null where there is a fee and no price. */
  readonly feeUsd: string | null;
  readonly tried: readonly TriedSwap[];
}

/** What a loop or a close makes of the position, and where that stands afterwards. Base units of the mint, signed. */
export interface BuildPosition {
  readonly depositBank: Address;
  readonly depositDecimals: number;
  readonly depositDeltaBase: bigint;
  readonly borrowBank: Address;
  /** Those that a close of several debts repays before: the deposit's change has theirs in it, the debt's has not. */
  readonly earlierBorrowBanks: readonly Address[];
  readonly borrowDecimals: number;
  readonly borrowDeltaBase: bigint;
  /** Assets ÷ (assets − debt) of the whole account at unbiased prices; null where nothing is left, or prices are missing. */
  readonly leverage: Ratio | null;
  /** Of the pair, in hundredths; null where its weights set no bound, and on a close. */
  readonly maxLeverageHundredths: bigint | null;
  /** Price of the deposit bank's token at which the account is open to liquidation, others held; decimal text. Null: none is. */
  readonly liquidationPriceUsd: string | null;
  /** From the price of now to that, as a part; null with it. */
  readonly priceChangeToLiquidation: Ratio | null;
  /** Of the borrow bank; those of the deposit bank are the build's. */
  readonly borrowRatesAfter: BankRates;
}

/** All lamports. */
export interface BuildFees {
  readonly network: bigint;
  readonly priority: bigint;
  readonly tip: bigint;
  /** What the accounts that are created keep; some of it comes back when they are closed. */
  readonly rent: bigint;
}

export interface BuildWarning {
  readonly level: 'info' | 'warning' | 'error';
  readonly code: string;
  readonly message: string;
  readonly bank?: Address;
}

/** An action that was planned, compiled, simulated and judged: what an envelope is made of. */
export interface Build {
  readonly request: BuildRequest;
  readonly account: Address;
  /** Index the new account is derived from; null where it exists already. */
  readonly newAccountIndex: number | null;
  readonly transactions: readonly CompiledTransaction[];
  /** Units each transaction took, in their order. */
  readonly unitsConsumed: readonly number[];
  readonly actionIndex: number;
  readonly submit: 'sequential' | 'bundle';
  readonly blockhash: Blockhash;
  readonly expiresInSeconds: number;
  readonly preHealth: JudgedHealth;
  readonly postHealth: JudgedHealth;
  readonly tokenChanges: readonly TokenChange[];
  /** Of the action's bank, which is the deposit bank of a loop or a close; null without a bank. */
  readonly ratesAfter: BankRates | null;
  /** Of each debt in a bank that charges one. */
  readonly premiums: readonly PremiumChange[];
  /** Null where nothing is swapped. */
  readonly swap: BuildSwap | null;
  /** Of the debts that a close of several repays before the last, in their order. */
  readonly earlierSwaps: readonly BuildSwap[];
  /** Null for single actions. */
  readonly position: BuildPosition | null;
  readonly fees: BuildFees;
  readonly warnings: readonly BuildWarning[];
  /** One plain sentence. */
  readonly summary: string;
  /** Slot of the simulation. */
  readonly slot: bigint;
  readonly unixTimestamp: bigint;
  readonly simulatedBy: SimulatorKind;
  /** Waves of requests to the node, the simulation's among them. */
  readonly waves: number;
}
