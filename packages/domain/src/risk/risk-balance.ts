import type { BreakerGate } from '../accounting/circuit-breaker.ts';
import type { BankPremium } from '../accounting/premium.ts';
import type { BankShares } from '../accrue-bank.ts';
import type { OperationalState, RiskTier } from '../bank.ts';
import type { I80F48 } from '../i80f48.ts';
import type { ProgramErrorName } from '../program-error-name.ts';

/** A price and its confidence edges, USD for one UI token, raw I80F48. */
export interface PriceBand {
  readonly spot: I80F48;
  readonly low: I80F48;
  readonly high: I80F48;
}

/**
 * What the risk engine gets from a bank's oracle. A `failed` one counts as zero for collateral at the initial requirement and fails
 * everything else; one that failed with `ProgramFailedToComplete`, where the program aborts, fails whatever comes near it. An error in
 * place of a band (an interval wider than the bank accepts, a price out of range) fails the instruction that asks for it, whatever the side.
 */
export type RiskPrice =
  | {
      readonly kind: 'loaded';
      /** For maintenance. */
      readonly spot: PriceBand | ProgramErrorName;
      /** For initial and equity; the same as `spot` where the feed has one price. */
      readonly ema: PriceBand | ProgramErrorName;
      /** False while the venue that the price is read through is in an emergency: collateral then counts nothing initially. */
      readonly hasBorrowingPower: boolean;
    }
  | { readonly kind: 'failed'; readonly error: ProgramErrorName };

/** Entry lists of emode: what a bank is as collateral (`tag`, 0 for nothing), and what it favours as debt. */
export interface RiskEmode {
  readonly tag: number;
  readonly entries: readonly {
    readonly collateralTag: number;
    readonly assetWeightInit: I80F48;
    readonly assetWeightMaint: I80F48;
  }[];
}

/** What makes a bank's tokens as collateral for a debt in the same asset count for more (same-asset emode). */
export interface SameAsset {
  /** The same for banks of one mint whose price is read from one feed in one way. */
  readonly asset: string;
  /** Whether a debt in the bank may be such a debt; a bank that is priced through a venue takes part as collateral only. */
  readonly isDebtToo: boolean;
  /** To which the group lets an account go; 1 and less is off. */
  readonly leverage: { readonly init: I80F48; readonly maint: I80F48 };
}

/** What the risk engine reads of a bank. Shares are accrued to the moment that is judged. */
export interface RiskBank {
  readonly address: string;
  readonly assetTag: number;
  /** The mint's; balances of Drift banks count nine all the same. */
  readonly decimals: number;
  readonly operationalState: OperationalState;
  /** Null where the program watches no price of the bank's. */
  readonly breaker: BreakerGate | null;
  readonly riskTier: RiskTier;
  readonly weights: {
    readonly assetInit: I80F48;
    readonly assetMaint: I80F48;
    readonly liabilityInit: I80F48;
    readonly liabilityMaint: I80F48;
  };
  /** Whole USD above which collateral is discounted; null is off. */
  readonly totalAssetValueInitLimitUsd: bigint | null;
  readonly emode: RiskEmode;
  readonly premium: BankPremium;
  /** Null where the bank takes no part in it. */
  readonly sameAsset: SameAsset | null;
  readonly shares: BankShares;
}

/** One active balance of an account, in the account's order, with its bank and price. */
export interface RiskBalance {
  readonly bank: RiskBank;
  readonly price: RiskPrice;
  readonly assetShares: I80F48;
  readonly liabilityShares: I80F48;
  /** What a debt owes besides in premium at the moment that is judged, base units; zero for all else, and where its bank charges none. */
  readonly premium: I80F48;
}

/** Which weights, prices and exceptions apply. */
export type Requirement = 'initial' | 'maintenance' | 'equity';
