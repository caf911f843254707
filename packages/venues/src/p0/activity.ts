import type { ActivityKind, I80F48, LegAction } from '@lending/domain';
import type { Address } from '@solana/kit';

/** A transaction as the decoder is handed it: what `packages/chain` calls a transaction record, or the part of it that matters here. */
export interface TransactionTrace {
  readonly signature: string;
  readonly isFailed: boolean;
  /** In the order they ran: each of the transaction's own is followed by its inner ones. */
  readonly instructions: readonly {
    readonly instructionIndex: number;
    readonly innerIndex: number | null;
    readonly depth: number | null;
    readonly programId: Address;
    readonly accounts: readonly Address[];
    readonly data: Uint8Array;
  }[];
  readonly logs: readonly string[] | null;
  readonly feePayer: Address;
  readonly signers: readonly Address[];
  readonly feeLamports: bigint;
  readonly tokenBalances: readonly {
    readonly account: Address;
    readonly mint: Address;
    readonly owner: Address | null;
    readonly decimals: number;
    readonly before: bigint;
    readonly after: bigint;
  }[];
}

/** What happened to one balance. */
export interface ActivityLeg {
  readonly bank: Address;
  readonly mint: Address;
  readonly action: LegAction;
  /**
   * Tokens that crossed the bank's side, base units of the mint, on cToken banks too: credited to it after a fee of Token-2022, or
   * out of it before one; a borrow without its origination fee. Null where the transaction does not tell. Where no tokens move: what
   * a classic liquidation seized is in units of the asset bank's balances, which are receipts in a venue's bank; what it repaid and
   * what a bankruptcy wrote off is the program's float, to the nearest base unit.
   */
  readonly amountBase: bigint | null;
  /** By how much the shares changed, never negative; null before the program told it (0.1.9), and in classic liquidations. */
  readonly shares: I80F48 | null;
  readonly closesSide: boolean;
  /**
   * What the program's floats say of premium, to the nearest base unit: how much of the amount paid it, and what was given up besides the
   * amount. Of collateral that a classic liquidation seized, it is the liquidator's own debt in that bank that it paid first. Absent:
   * the program said nothing.
   */
  readonly premium?: { readonly settledBase: bigint | null; readonly writtenOffBase: bigint | null };
}

/**
 * Which order to rebalance was placed; or what an execution of one moved; or how its tip was settled, which comes later and in another
 * transaction. Of a placement all but the order is null.
 */
export interface ActivityRebalance {
  readonly order: Address;
  readonly executor: Address | null;
  /** Account that stands for the execution until its tip is settled; null where the instruction is not known. */
  readonly record: Address | null;
  /** Whole tokens; null in a settlement. */
  readonly moved: I80F48 | null;
  /** Set aside by an execution; what a settlement paid the executor, 0 where all went back. */
  readonly tipLamports: bigint | null;
  /** Whether the move paid; null until that is settled. */
  readonly realized: boolean | null;
}

/** One thing that was done to a lending account. */
export interface Activity {
  /** `signature:instruction[:inner]`, of a loop or close where its flash loan starts. */
  readonly id: string;
  readonly instructionIndex: number;
  readonly innerIndex: number | null;
  readonly kind: ActivityKind;
  readonly groupId: string | null;
  readonly account: Address;
  readonly authority: Address;
  readonly actor: Address;
  readonly group: Address;
  readonly counterparty: Address | null;
  readonly legs: readonly ActivityLeg[];
  readonly liquidation: {
    readonly liquidator: Address;
    readonly assetBank: Address | null;
    readonly liabilityBank: Address | null;
    readonly seizedBase: bigint | null;
    readonly repaidBase: bigint | null;
  } | null;
  readonly rebalance?: ActivityRebalance;
}

/** What an event says of a bank or the group. Amounts in base units, to the nearest; rates as stored; times in unix seconds. */
export type GroupEvent =
  | { readonly kind: 'premium_sweep'; readonly collectedBase: bigint | null; readonly outstandingBase: bigint | null }
  | {
      readonly kind: 'premium_rate';
      readonly collateralTag: number;
      readonly liabilityTag: number;
      readonly oldRate: number;
      readonly newRate: number;
    }
  | { readonly kind: 'premium_tag'; readonly premiumTag: number; readonly isActive: boolean }
  | {
      readonly kind: 'breaker_trip';
      readonly tier: number;
      readonly deviationBps: bigint;
      readonly haltStartedAt: bigint;
      readonly haltEndedAt: bigint;
    }
  | { readonly kind: 'breaker_clear'; readonly tier: number; readonly isByAdmin: boolean }
  | { readonly kind: 'breaker_break'; readonly trips: number }
  | { readonly kind: 'governance_admin'; readonly previous: Address; readonly next: Address };

/** Something that happened to a bank, or to the group, and is no activity of an account. */
export interface GroupChange {
  /** `signature:instruction[:inner]#event`: an instruction may write several events. */
  readonly id: string;
  readonly group: Address;
  /** Null: the whole group, or the instruction does not say which of its two banks. */
  readonly bank: Address | null;
  /** The signer that the event names; where it names none, the payer of the transaction. */
  readonly actor: Address;
  readonly change: GroupEvent;
}

/** Everything a transaction did to lending accounts, to banks and their group. */
export interface DecodedActivity {
  /** In the order it happened; empty for a failed transaction. */
  readonly activities: readonly Activity[];
  /** What it did to banks and their group. */
  readonly changes: readonly GroupChange[];
  /** Lamports paid to block builders inside the transaction. */
  readonly tipLamports: bigint;
  /** Lending accounts it touched, whether or not that is activity. */
  readonly accounts: readonly Address[];
  /** Instructions or events of the program that this build does not know or could not read. */
  readonly unknown: number;
}
