import { I80F48_ONE } from '../../i80f48.ts';
import { U64_MAX } from '../../integers.ts';
import type { BankLedger, RateLimitWindow } from '../bank-ledger.ts';

const OFF = startWindow(0n, 0n, 0n);

type LedgerOverrides = Partial<Omit<BankLedger, 'config'>> & { readonly config?: Partial<BankLedger['config']> };

/** An empty, unlimited bank of a six-decimal mint whose shares are worth one, for tests. */
export function makeLedger(overrides: LedgerOverrides = {}): BankLedger {
  return {
    mintDecimals: 6,
    assetShareValue: I80F48_ONE,
    liabilityShareValue: I80F48_ONE,
    totalAssetShares: 0n,
    totalLiabilityShares: 0n,
    collectedInsuranceFeesOutstanding: 0n,
    collectedGroupFeesOutstanding: 0n,
    collectedProgramFeesOutstanding: 0n,
    lendingPositionCount: 0,
    borrowingPositionCount: 0,
    flags: 0n,
    rateLimiter: { hourly: OFF, daily: OFF },
    ...overrides,
    config: {
      depositLimit: U64_MAX,
      borrowLimit: U64_MAX,
      operationalState: 1,
      assetTag: 0,
      interestRateConfig: { protocolOriginationFee: 0n },
      ...overrides.config,
    },
  };
}

/** A window as its admin sets it: the count starts over. */
export function startWindow(maxOutflow: bigint, windowDuration: bigint, unixTimestamp: bigint): RateLimitWindow {
  return { maxOutflow, windowDuration, windowStart: unixTimestamp, prevWindowOutflow: 0n, curWindowOutflow: 0n };
}
