import type {
  BankPremium,
  BankShares,
  Breaker,
  I80F48,
  InterestCurve,
  InterestFees,
  OperationalState,
  OracleSetup,
  PremiumPair,
  RateLimiter,
  RiskEmode,
  RiskTier,
  SameAsset,
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
  /** Whether its tokens back new debt while it is Paused, as in July’s sources of 0.1.10; default: they do not. */
  readonly backsDebtWhilePaused?: boolean;
  /** Null where it is off: then the program watches no price, and no halt is left in the bank's interest either. */
  readonly breaker: Breaker | null;
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
  readonly interestCache: P0InterestCache;
  /** The reserve, spot market or lending account behind an integration bank; null on P0's own pools. */
  readonly venueAccount: Address | null;
  /** The three keys an integration uses as stored; the meaning of each depends on the asset tag, and an unused one is all zeros. */
  readonly integrationAccounts: readonly Address[];
}

export interface P0Oracle {
  readonly setup: OracleSetup;
  /** The five keys as stored; the meaning of each depends on the setup. */
  readonly keys: readonly Address[];
  /** As stored; what 0 means depends on version and feed (`load-oracle.ts`). */
  readonly maxAgeSeconds: number;
  /**
   * As a fraction of u32::MAX: the widest interval of Pyth's that the bank accepts, 0 for the program's default; the interval of a price of
   * Switchboard's, 0 for none.
   */
  readonly maxConfidence: number;
  /** Used by the Fixed setups; where a principal token is priced, what one was worth in its asset when its term began. */
  readonly fixedPrice: I80F48;
  /** Which price of Scope's table is the bank's; used by the Scope setups only. */
  readonly scopeEntry: number;
}

export interface P0BankPremium extends BankPremium {
  /** Paid by borrowers and not yet swept to the program's premium wallet, base units as raw I80F48. */
  readonly collected: I80F48;
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

/** What the program last computed of a bank's interest, to compare with: never a ground for a decision. All zero where it empties it. */
export interface P0InterestCache {
  /** Of the totals that the last instruction left; fractions of u32::MAX, which is 1000 % a year. */
  readonly baseRate: number;
  readonly lendingRate: number;
  readonly borrowingRate: number;
  /** Seconds that the last accrual of interest was for, those of halts left out. */
  readonly accruedSeconds: bigint;
  /** What that accrual gave all depositors, base units as raw I80F48. */
  readonly accruedToDepositors: I80F48;
  /** While a liquidator holds an account: no instruction writes rates or prices here. */
  readonly isLocked: boolean;
  /** The prices that were locked last, with their intervals; zero on a bank that was never part of such a liquidation. */
  readonly lockedPrices: readonly [I80F48, I80F48, I80F48, I80F48];
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
  /** How far same-asset emode lets an account go; 1 and less is off. */
  readonly sameAssetLeverage: SameAsset['leverage'];
  /** What debts of a tag bear for collateral of another. */
  readonly premiumPairs: readonly PremiumPair[];
  /** When the pause began (unix seconds), null when the pause flag is not set. It lapses by itself: `isGroupPaused`. */
  readonly pauseStart: bigint | null;
}
