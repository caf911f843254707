import type { BankLedger } from '@lending/domain';
import { type BankState, dailyLimitOf, hourlyLimitOf } from './bank-state.ts';
import { readRateLimiter, writeRateLimit } from './rate-limit-state.ts';

/** The part of a bank that accounting works on, as plain values. */
export function readLedger(bank: BankState): BankLedger {
  return {
    mintDecimals: bank.mintDecimals,
    assetShareValue: bank.assetShareValue,
    liabilityShareValue: bank.liabilityShareValue,
    totalAssetShares: bank.totalAssetShares,
    totalLiabilityShares: bank.totalLiabilityShares,
    collectedInsuranceFeesOutstanding: bank.collectedInsuranceFeesOutstanding,
    collectedGroupFeesOutstanding: bank.collectedGroupFeesOutstanding,
    collectedProgramFeesOutstanding: bank.collectedProgramFeesOutstanding,
    lendingPositionCount: bank.lendingPositionCount,
    borrowingPositionCount: bank.borrowingPositionCount,
    flags: bank.flags,
    config: {
      depositLimit: bank.depositLimit,
      borrowLimit: bank.borrowLimit,
      operationalState: bank.operationalState,
      assetTag: bank.assetTag,
      interestRateConfig: { protocolOriginationFee: bank.protocolOriginationFee },
    },
    rateLimiter: readRateLimiter(hourlyLimitOf(bank), dailyLimitOf(bank)),
  };
}

/** Writes back what accounting may change. */
export function writeLedger(bank: BankState, ledger: BankLedger): void {
  bank.assetShareValue = ledger.assetShareValue;
  bank.totalAssetShares = ledger.totalAssetShares;
  bank.totalLiabilityShares = ledger.totalLiabilityShares;
  bank.collectedInsuranceFeesOutstanding = ledger.collectedInsuranceFeesOutstanding;
  bank.collectedGroupFeesOutstanding = ledger.collectedGroupFeesOutstanding;
  bank.collectedProgramFeesOutstanding = ledger.collectedProgramFeesOutstanding;
  bank.lendingPositionCount = ledger.lendingPositionCount;
  bank.borrowingPositionCount = ledger.borrowingPositionCount;
  bank.flags = ledger.flags;
  writeRateLimit(hourlyLimitOf(bank), ledger.rateLimiter.hourly);
  writeRateLimit(dailyLimitOf(bank), ledger.rateLimiter.daily);
}
