import {
  type BankLedger,
  type BreakerGate,
  formatI80F48,
  type PriceBand,
  type ProgramErrorName,
  type RateLimiter,
  type RateLimitWindow,
  type RiskPrice,
  type TransferFee,
} from '@lending/domain';
import { type BankMeasured, createMessage, type Message, type MessageSource } from '@lending/events';
import { interestPaceOfBank, isGroupPaused, type P0Bank, type P0Group, toBankLedger } from '@lending/venues';
import { integerOrNull } from './sample-fields.ts';

/** A bank with what the risk engine and the limits read beside it, all of one slot. */
export interface BankMeasureReading {
  readonly bank: P0Bank;
  readonly slot: bigint;
  /** Seconds, the chain's own clock at that slot. */
  readonly unixTimestamp: bigint;
  readonly riskPrice: RiskPrice;
  /** What can leave, in the bank's own units; null where that is not known. */
  readonly vaultBase: bigint | null;
  readonly transferFee: TransferFee | null;
  /** Null where it could not be read: then nothing is accrued. */
  readonly group: P0Group | null;
}

/** The message of a bank's books, price, vault and switches at one slot. */
export function toBankMeasured(reading: BankMeasureReading, source: MessageSource): Message<'bank.measured.v1'> {
  const { bank, slot, unixTimestamp, riskPrice, vaultBase, transferFee, group } = reading;
  const moment = group === null ? bank.shares.lastUpdate : unixTimestamp;
  const ledger = toBankLedger(bank, { programFee: group?.programFee ?? null }, moment);
  const payload: BankMeasured = {
    bank: bank.address,
    ledger: {
      ...toLedgerFields(ledger),
      lastUpdate: ledger.lastUpdate.toString(),
      stored: group === null ? null : toStoredFields(bank, group, unixTimestamp),
      premium: toPremiumFields(bank),
      breaker: bank.breaker === null ? null : toBreakerFields(bank.breaker),
    },
    price: toPriceFields(riskPrice),
    vaultBase: integerOrNull(vaultBase),
    transferFee:
      transferFee === null ? null : { ...transferFee, maximumFeeBase: transferFee.maximumFeeBase.toString() },
    group: group === null ? null : toGroupFields(group, unixTimestamp),
  };
  return createMessage({ topic: 'bank.measured.v1', key: bank.address, slot, unixTimestamp, source, payload });
}

function toStoredFields(
  bank: P0Bank,
  { programFee }: P0Group,
  unixTimestamp: bigint,
): BankMeasured['ledger']['stored'] {
  const { accruesFrom, depositApr, borrowApr } = interestPaceOfBank(bank, programFee, unixTimestamp);
  return {
    assetShareValue: formatI80F48(bank.shares.assetShareValue),
    liabilityShareValue: formatI80F48(bank.shares.liabilityShareValue),
    accruesFrom: accruesFrom.toString(),
    depositApr: formatI80F48(depositApr),
    borrowApr: formatI80F48(borrowApr),
  };
}

function toPremiumFields({ premium }: P0Bank): BankMeasured['ledger']['premium'] {
  const { tag, isActive, activatedAt, collected } = premium;
  return { tag, isActive, activatedAt: activatedAt.toString(), collected: formatI80F48(collected) };
}

function toLedgerFields(
  ledger: BankLedger,
): Omit<BankMeasured['ledger'], 'lastUpdate' | 'stored' | 'premium' | 'breaker'> {
  const { config } = ledger;
  return {
    assetShareValue: formatI80F48(ledger.assetShareValue),
    liabilityShareValue: formatI80F48(ledger.liabilityShareValue),
    totalAssetShares: formatI80F48(ledger.totalAssetShares),
    totalLiabilityShares: formatI80F48(ledger.totalLiabilityShares),
    insuranceFees: formatI80F48(ledger.collectedInsuranceFeesOutstanding),
    groupFees: formatI80F48(ledger.collectedGroupFeesOutstanding),
    programFees: formatI80F48(ledger.collectedProgramFeesOutstanding),
    lendingPositions: ledger.lendingPositionCount,
    borrowingPositions: ledger.borrowingPositionCount,
    flags: ledger.flags.toString(),
    depositLimit: config.depositLimit.toString(),
    borrowLimit: config.borrowLimit.toString(),
    operationalState: config.operationalState,
    originationFee: formatI80F48(config.interestRateConfig.protocolOriginationFee),
    rateLimiter: toLimiterFields(ledger.rateLimiter),
  };
}

function toBreakerFields({ terms, state, preBreakState }: BreakerGate): BankMeasured['ledger']['breaker'] {
  const { tiersBps, windowMaxUpBps, windowMaxDownBps } = terms;
  return {
    tiersBps: [...tiersBps],
    windowMaxUpBps,
    windowMaxDownBps,
    tier: state.tier,
    haltEndedAt: state.haltEndedAt.toString(),
    referencePrice: formatI80F48(state.referencePrice),
    windowReferencePrice: formatI80F48(state.windowReferencePrice),
    preBreakState,
  };
}

function toPriceFields(price: RiskPrice): BankMeasured['price'] {
  if (price.kind === 'failed') return { error: price.error };
  const { spot, ema, hasBorrowingPower } = price;
  return { spot: toBandFields(spot), ema: toBandFields(ema), hasBorrowingPower };
}

function toBandFields(band: PriceBand | ProgramErrorName) {
  if (typeof band === 'string') return { error: band };
  return { spot: formatI80F48(band.spot), low: formatI80F48(band.low), high: formatI80F48(band.high) };
}

function toGroupFields(group: P0Group, unixTimestamp: bigint): BankMeasured['group'] {
  return {
    isPaused: isGroupPaused(group, unixTimestamp),
    rateLimiter: toLimiterFields(group.rateLimiter),
    programFeeRate: formatI80F48(group.programFee?.rate ?? 0n),
    premiumPairs: group.premiumPairs.map((pair) => ({ ...pair })),
    sameAssetLeverage: {
      init: formatI80F48(group.sameAssetLeverage.init),
      maint: formatI80F48(group.sameAssetLeverage.maint),
    },
  };
}

function toLimiterFields({ hourly, daily }: RateLimiter) {
  return { hourly: toWindowFields(hourly), daily: toWindowFields(daily) };
}

function toWindowFields(window: RateLimitWindow) {
  return {
    maxOutflow: window.maxOutflow.toString(),
    windowDuration: window.windowDuration.toString(),
    windowStart: window.windowStart.toString(),
    prevWindowOutflow: window.prevWindowOutflow.toString(),
    curWindowOutflow: window.curWindowOutflow.toString(),
  };
}
