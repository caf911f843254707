import type {
  BankShares,
  I80F48,
  InterestCurve,
  InterestFees,
  OperationalState,
  OracleSetup,
  RateLimiter,
  RiskEmode,
  RiskTier,
  Venue,
} from '@lending/domain';
import type { Address } from '@solana/kit';

/** A P0 bank in the service's words. Fixed-point fields are raw I80F48, limits base units, times unix seconds. */
export interface P0Bank {
  readonly address: Address;
  readonly group: Address;
  readonly venue: Venue;
  readonly mint: Address;
  readonly decimals: number;
  readonly assetTag: number;
  readonly operationalState: OperationalState;
  readonly riskTier: RiskTier;
  readonly weights: {
    readonly assetInit: I80F48;
    readonly assetMaint: I80F48;
    readonly liabilityInit: I80F48;
    readonly liabilityMaint: I80F48;
  };
  /** Null is no cap. On Kamino, Solend and JupLend banks it counts the venue's receipts, as the totals do. */
  readonly depositLimit: bigint | null;
  readonly borrowLimit: bigint | null;
  /** Whole USD above which collateral is discounted; null is off. */
  readonly totalAssetValueInitLimitUsd: bigint | null;
  readonly originationFee: I80F48;
  readonly flags: bigint;
  readonly emode: RiskEmode;
  readonly oracle: P0Oracle;
  readonly curve: InterestCurve;
  /** Insurance and group fees; the program's own come from the group. */
  readonly fees: Omit<InterestFees, 'program'>;
  readonly shares: BankShares;
  readonly liquidityVault: Address;
  readonly insuranceVault: Address;
  readonly feeVault: Address;
  /** What was earned and not yet paid out to its vault, in base units as raw I80F48. */
  readonly feesOutstanding: { readonly insurance: I80F48; readonly group: I80F48; readonly program: I80F48 };
  readonly premium: P0BankPremium;
  /** Since counting began, which on old banks was after the first positions: can be negative, and is not for display. */
  readonly positionCounts: { readonly lending: number; readonly borrowing: number };
  /** Net outflow in base units. */
  readonly rateLimiter: RateLimiter;
  /** What the bank's address was derived from, where 0.1.9 wrote it down; 0 is none. */
  readonly bankSeed: bigint;
  readonly oracleCache: P0OracleCache;
  /** The reserve, spot market or lending account behind an integration bank; null on P0's own pools. */
  readonly venueAccount: Address | null;
  /** The three keys an integration uses as stored; the meaning of each depends on the asset tag, and an unused one is all zeros. */
  readonly integrationAccounts: readonly Address[];
}

/** What the bank's debts pay on top of interest, for the collateral behind them. Zeros before 0.1.12. */
export interface P0BankPremium {
  /** Finds the bank's side of a pair in the group's `premiumPairs`; 0 is in none. */
  readonly tag: number;
  /** Where false, its debts owe no premium, whatever their balances say. */
  readonly isActive: boolean;
  /** Unix seconds; premium is not charged for the time before. 0 where it was never active. */
  readonly activatedAt: bigint;
  /** What borrowers paid and was not yet swept to the wallet for premiums, in base units as raw I80F48. */
  readonly collected: I80F48;
}

export interface P0Oracle {
  readonly setup: OracleSetup;
  /** The five keys as stored; the meaning of each depends on the setup. */
  readonly keys: readonly Address[];
  readonly maxAgeSeconds: number;
  /**
   * As a fraction of u32::MAX: the widest interval of Pyth's that the bank accepts, 0 for the program's default; the interval of a price of
   * Switchboard's, 0 for none.
   */
  readonly maxConfidence: number;
  /** Used by the Fixed setups only. */
  readonly fixedPrice: I80F48;
}

/** The last price the program wrote into the bank, for display. Up to 0.1.8 `price` includes what a receipt is worth. */
export interface P0OracleCache {
  readonly price: I80F48;
  readonly confidence: I80F48;
  /** What a unit of the bank's balances is worth in what `price` is for; null where none was written (before 0.1.9). */
  readonly multiplier: I80F48 | null;
  /** Unix seconds. */
  readonly readAt: bigint;
}

/** The program's own fees and switches, which one group holds for all its banks. */
export interface P0Group {
  readonly address: Address;
  readonly admin: Address;
  /** Null when the group does not charge program fees. */
  readonly programFee: InterestFees['program'];
  /** Where program fees go. */
  readonly feeWallet: Address;
  readonly rawFlags: bigint;
  /** Net outflow of all banks, in whole USD. */
  readonly rateLimiter: RateLimiter;
  /** What a debt whose bank has one tag pays for collateral whose bank has the other, ascending by both tags. Empty before 0.1.12. */
  readonly premiumPairs: readonly P0PremiumPair[];
  /** Of same-asset e-mode, as the program stores it: u32::MAX is 100. Zeros before 0.1.10. */
  readonly sameAssetLeverage: { readonly init: number; readonly maint: number };
  /** When the pause began (unix seconds), null when the pause flag is not set. It lapses by itself: `isGroupPaused`. */
  readonly pauseStart: bigint | null;
}

/** `rate` as the program stores it: a fraction of u32::MAX times ten (1000 % a year). */
export interface P0PremiumPair {
  readonly collateralTag: number;
  readonly liabilityTag: number;
  readonly rate: number;
}
