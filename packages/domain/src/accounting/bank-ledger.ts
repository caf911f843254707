import type { I80F48 } from '../i80f48.ts';

/**
 * One outflow window as banks and groups store it; `maxOutflow` 0 is off. Base units on a bank, whole USD on a group.
 * Durations in seconds, the start in unix seconds; an outflow is negative when more came in than went out.
 */
export interface RateLimitWindow {
  readonly maxOutflow: bigint;
  readonly windowDuration: bigint;
  readonly windowStart: bigint;
  readonly prevWindowOutflow: bigint;
  readonly curWindowOutflow: bigint;
}

export interface RateLimiter {
  readonly hourly: RateLimitWindow;
  readonly daily: RateLimitWindow;
}

/**
 * What accounting reads and changes of a bank. Names, nesting and numbers are those of the bank's account, so that a decoded one can be
 * handed in as it is and comes back with the changed fields; shares and amounts are raw I80F48, in base units of the mint (Drift: of
 * nine decimals).
 */
export interface BankLedger {
  readonly mintDecimals: number;
  readonly assetShareValue: I80F48;
  readonly liabilityShareValue: I80F48;
  readonly totalAssetShares: I80F48;
  readonly totalLiabilityShares: I80F48;
  readonly collectedInsuranceFeesOutstanding: I80F48;
  readonly collectedGroupFeesOutstanding: I80F48;
  readonly collectedProgramFeesOutstanding: I80F48;
  readonly lendingPositionCount: number;
  readonly borrowingPositionCount: number;
  readonly flags: bigint;
  readonly config: {
    /** Base units; u64::MAX is off, and 0 is a limit. */
    readonly depositLimit: bigint;
    readonly borrowLimit: bigint;
    readonly operationalState: number;
    readonly assetTag: number;
    readonly interestRateConfig: { readonly protocolOriginationFee: I80F48 };
  };
  readonly rateLimiter: RateLimiter;
}

/** What accounting changes of one balance. Less than one share on a side counts as nothing on that side. */
export interface BalanceShares {
  readonly assetShares: I80F48;
  readonly liabilityShares: I80F48;
}

/** The shares of a slot that was just opened, or just closed. */
export const NO_SHARES: BalanceShares = { assetShares: 0n, liabilityShares: 0n };

/** Bits of a bank's `flags`. */
export const BANK_FLAG = { tokenlessRepaymentsAllowed: 1n << 5n, tokenlessRepaymentsComplete: 1n << 6n } as const;
