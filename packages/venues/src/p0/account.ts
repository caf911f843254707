import type { DebtPremium, I80F48 } from '@lending/domain';
import type { Address } from '@solana/kit';

/** A P0 account in the service's words: one owner's portfolio in one group. Times in unix seconds. */
export interface P0Account {
  readonly address: Address;
  readonly group: Address;
  readonly authority: Address;
  /** The slots in use, in stored order: sorted by bank on any account the program touched since it sorts. */
  readonly balances: readonly P0Balance[];
  readonly flags: P0AccountFlags;
  /** The flags as stored, with those this build has no name for. */
  readonly rawFlags: bigint;
  readonly healthCache: P0HealthCache;
  /** Where the portfolio was moved from and to, null where it was not. */
  readonly migratedFrom: Address | null;
  readonly migratedTo: Address | null;
  readonly lastUpdate: bigint;
  /** What the account's address is derived from; null for an account that is a key pair. */
  readonly derivation: { readonly index: number; readonly thirdPartyId: number; readonly bump: number } | null;
  /** Wallet that receives rewards paid off the chain, null for the authority itself. */
  readonly emissionsDestination: Address | null;
  /** Null until someone opened one, for a liquidation. */
  readonly liquidationRecord: Address | null;
  /** Standing orders, those to rebalance too; written since 0.1.9. */
  readonly activeOrders: number;
  readonly lastTagUsed: number;
  /** Since when what a liquidator may take grows; null where it is not tagged as unhealthy. Written since 0.1.12. */
  readonly liquidationTaggedAt: bigint | null;
  /** How often its deposits were rebalanced; the next execution must name it. Written since 0.1.12. */
  readonly rebalanceExecutionSeq: bigint;
  readonly hints: P0AccountHints;
}

/** One slot: shares in one bank, of which one side counts as nothing. */
export interface P0Balance {
  /** Which of the account's sixteen. */
  readonly slot: number;
  readonly bank: Address;
  /** As of the day the slot was opened. */
  readonly assetTag: number;
  /** Joins the balance to standing orders; 0 to none. */
  readonly tag: number;
  /** Raw I80F48, in the bank's share units. */
  readonly assetShares: I80F48;
  readonly liabilityShares: I80F48;
  /** When interest, and since 0.1.12 premium, was last brought up to date. */
  readonly lastUpdate: bigint;
  /** Of no meaning where the balance is no debt or its bank charges no premium: `premiumOwed` looks. */
  readonly premium: DebtPremium;
}

export interface P0AccountFlags {
  /** Bankrupt or migrated: nothing can be done with it any more. */
  readonly isDisabled: boolean;
  readonly isInFlashLoan: boolean;
  /** A liquidator holds it until the end of the transaction. */
  readonly isInReceivership: boolean;
  readonly isInDeleverage: boolean;
  /** Its authority is locked out; the group's admin is not. */
  readonly isFrozen: boolean;
  readonly isInOrderExecution: boolean;
  readonly isInRebalance: boolean;
}

/** What the program last worked out, USD in raw I80F48. Zeros after a flash loan; never a ground for a decision. */
export interface P0HealthCache {
  readonly initial: P0HealthSums;
  readonly maintenance: P0HealthSums;
  readonly equity: P0HealthSums;
  /** Unix seconds, null before the first time. */
  readonly computedAt: bigint | null;
  readonly isHealthy: boolean;
  readonly isEngineOk: boolean;
  readonly isOracleOk: boolean;
  /** E-mode raised the weight of every collateral, so that a liquidator may not take more with time. Written since 0.1.12. */
  readonly isEmodeBoosted: boolean;
  /** Biased prices of the balances that the initial check saw, in their order: f64, and 0 behind the last and where one was not used. */
  readonly shownPricesUsd: readonly number[];
  /** Program error numbers, 0 for none; `oracleError` is of the collateral at `errorIndex`. */
  readonly error: number;
  readonly oracleError: number;
  readonly errorIndex: number;
  readonly liquidationError: number;
  readonly bankruptcyError: number;
  /** 3 from 0.1.7 to 0.1.9. */
  readonly programVersion: number;
}

export interface P0HealthSums {
  readonly assets: I80F48;
  readonly liabilities: I80F48;
}

/** Marks for indexers, written since 0.1.9: all false on an account that nothing touched since. Never the truth. */
export interface P0AccountHints {
  readonly isLendingOnly: boolean;
  readonly isEmpty: boolean;
  readonly isSingleBorrower: boolean;
  readonly wasEverLiquidated: boolean;
  readonly wasEverDeleveraged: boolean;
  readonly wasBankrupted: boolean;
  readonly hasIsolated: boolean;
  readonly hasStaked: boolean;
  readonly hasKamino: boolean;
  readonly hasDrift: boolean;
  readonly hasJuplend: boolean;
  readonly wasLiquidatable: boolean;
  readonly wasUnderwater: boolean;
  readonly wasActive30Days: boolean;
  readonly wasActive60Days: boolean;
  readonly hasTrivialBalance: boolean;
}
