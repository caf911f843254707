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

/**
 * Bits of a bank's `flags`; those from `isToken2022` on are written since 0.1.9.
 * @see marginfi-v2 type-crate/src/types/bank.rs `Bank::flags`
 */
export const BANK_FLAG = {
  /** Anyone may have the bank's bad debts settled. */
  permissionlessBadDebtSettlement: 1n << 2n,
  /** Its settings cannot be changed any more, its limits apart. */
  frozenSettings: 1n << 3n,
  closable: 1n << 4n,
  /** It is being wound up: no deposits, no loans, and its risk administrator may write debts off. */
  tokenlessRepaymentsAllowed: 1n << 5n,
  /** All its debts are gone, and lenders are paid from what is left. */
  tokenlessRepaymentsComplete: 1n << 6n,
  isToken2022: 1n << 7n,
  /** `bankSeed` says what the bank's address is derived from. */
  hasKnownSeed: 1n << 8n,
  /** Staked collateral is not priced at all. */
  stakedOracleDisabled: 1n << 9n,
  /** Staked collateral counts what is on its way into stake, too. */
  usesStakedOnRamp: 1n << 10n,
  /** The program watches its price, and halts it where that jumps. From 0.1.10. */
  hasCircuitBreaker: 1n << 11n,
  /** Its debts accrue premium for the collateral behind them. From 0.1.12. */
  chargesPremium: 1n << 13n,
} as const;

/** Every bit of a bank's flags that has a name here, and the two that were for emissions. */
export const KNOWN_BANK_FLAGS = Object.values(BANK_FLAG).reduce((all, flag) => all | flag, 3n);
