import {
  type BankLedger,
  type BankShares,
  type BreakerGate,
  type CapacityState,
  type FractionE18,
  type InterestPace,
  OPERATIONAL_STATES,
  PROGRAM_ERROR_NAMES,
  type PriceBand,
  type ProgramErrorName,
  parseFraction,
  parseI80F48,
  type RateLimiter,
  type RateLimitWindow,
  type RiskBank,
  type RiskPrice,
  type SameAsset,
  sharesAt,
  type TransferFee,
} from '@lending/domain';
import type { BankMeasureRow, BankRow } from '@lending/store';
import { z } from 'zod';
import type { Bank } from '#records/bank-fields.ts';
import type { Reading } from './as-of.ts';
import { emodeColumn, premiumPairsColumn } from './bank-config.ts';

/** A bank as the risk engine and the limits read it, with its record beside: `risk` and `ledger` with the interest up to its measure. */
export interface MeasuredBank {
  readonly record: Bank;
  readonly risk: RiskBank;
  /** As its account has it, and how that grows. */
  readonly stored: { readonly shares: BankShares; readonly pace: InterestPace };
  readonly price: RiskPrice;
  readonly ledger: BankLedger;
  /** What can leave, in the bank's own units; null is unknown. */
  readonly vaultBase: bigint | null;
  readonly transferFee: TransferFee | null;
  /** The group's switches; null is unknown. */
  readonly group: CapacityState['group'] | null;
  /** Tokens that one whole receipt is worth; null on P0's own banks, and where it is not known. */
  readonly exchangeRate: FractionE18 | null;
  /** What the reserve behind the bank lets out, base units of the mint; null on P0's own banks, and where it is not known. */
  readonly reserveRoomBase: bigint | null;
  readonly reading: Reading;
}

const windowColumn = z.object({
  maxOutflow: z.string(),
  windowDuration: z.string(),
  windowStart: z.string(),
  prevWindowOutflow: z.string(),
  curWindowOutflow: z.string(),
});
const limiterColumn = z.object({ hourly: windowColumn, daily: windowColumn });
const breakerColumn = z
  .object({
    tiersBps: z.tuple([z.int(), z.int(), z.int()]),
    windowMaxUpBps: z.int(),
    windowMaxDownBps: z.int(),
    tier: z.int(),
    haltEndedAt: z.string(),
    referencePrice: z.string(),
    windowReferencePrice: z.string(),
    preBreakState: z.int(),
  })
  .nullable()
  .default(null);
const ledgerColumn = z.object({
  assetShareValue: z.string(),
  liabilityShareValue: z.string(),
  totalAssetShares: z.string(),
  totalLiabilityShares: z.string(),
  insuranceFees: z.string(),
  groupFees: z.string(),
  programFees: z.string(),
  lendingPositions: z.int(),
  borrowingPositions: z.int(),
  flags: z.string(),
  depositLimit: z.string(),
  borrowLimit: z.string(),
  operationalState: z.int(),
  originationFee: z.string(),
  rateLimiter: limiterColumn,
  lastUpdate: z.string(),
  stored: z
    .object({
      assetShareValue: z.string(),
      liabilityShareValue: z.string(),
      accruesFrom: z.string(),
      depositApr: z.string(),
      borrowApr: z.string(),
    })
    .nullable()
    .default(null),
  premium: z.object({ tag: z.int(), isActive: z.boolean(), activatedAt: z.string() }).nullable().default(null),
  breaker: breakerColumn,
});
const errorName = z.enum(PROGRAM_ERROR_NAMES);
const failedColumn = z.object({ error: errorName });
const bandColumn = z.union([z.object({ spot: z.string(), low: z.string(), high: z.string() }), failedColumn]);
const priceColumn = z.union([
  z.object({ spot: bandColumn, ema: bandColumn, hasBorrowingPower: z.boolean().default(true) }),
  failedColumn,
]);
const feeColumn = z.object({ basisPoints: z.int(), maximumFeeBase: z.string() }).nullable();
const groupColumn = z
  .object({
    isPaused: z.boolean(),
    rateLimiter: limiterColumn,
    programFeeRate: z.string(),
    sameAssetLeverage: z.object({ init: z.string(), maint: z.string() }).default({ init: '0', maint: '0' }),
    premiumPairs: premiumPairsColumn.default([]),
  })
  .nullable();

/**
 * A bank's row and its newest measure as the maths of `domain` takes them. Weights, tags and emode are configuration; books, price,
 * vault and switches are of the measure's slot, and so is the state.
 * @throws ZodError or SyntaxError when the rows hold what the projection never writes: the bank is then skipped by name.
 */
export function toMeasuredBank(row: BankRow, record: Bank, measure: BankMeasureRow): MeasuredBank {
  const stored = ledgerColumn.parse(measure.ledger);
  const ledger = toLedger(row, stored);
  const fee = feeColumn.parse(measure.transfer_fee);
  const group = groupColumn.parse(measure.group);
  const leverage = group && {
    init: parseI80F48(group.sameAssetLeverage.init),
    maint: parseI80F48(group.sameAssetLeverage.maint),
  };
  const { slot, slot_time: time, source } = measure;
  return {
    record,
    risk: toRiskBank(row, measure, leverage, { ledger, stored }),
    stored: toStored(stored),
    price: readPriceColumn(measure.price),
    ledger,
    vaultBase: measure.vault_base === null ? null : BigInt(measure.vault_base),
    transferFee: fee === null ? null : { ...fee, maximumFeeBase: BigInt(fee.maximumFeeBase) },
    group:
      group === null
        ? null
        : {
            isPaused: group.isPaused,
            rateLimiter: toLimiter(group.rateLimiter),
            programFeeRate: parseI80F48(group.programFeeRate),
            premiumPairs: group.premiumPairs,
          },
    exchangeRate: row.exchange_rate === null ? null : parseFraction(row.exchange_rate),
    reserveRoomBase: row.reserve_withdraw_room_base === null ? null : BigInt(row.reserve_withdraw_room_base),
    reading: { slot, timeMs: time.getTime(), source, kind: 'sample' },
  };
}

/** A measured bank with its interest up to another moment, unix seconds, as if it was not touched between; `null` with none of it: as its account has it. */
export function riskAt(
  { risk, stored }: Pick<MeasuredBank, 'risk' | 'stored'>,
  unixTimestamp: bigint | null,
): RiskBank {
  const { shares, pace } = stored;
  return { ...risk, shares: unixTimestamp === null ? shares : sharesAt(shares, pace, unixTimestamp) };
}

/** A publisher that says nothing of what is stored had the interest up to its measure in it, and not how that goes on. */
function toStored(column: z.infer<typeof ledgerColumn>): MeasuredBank['stored'] {
  const { stored, lastUpdate, ...measured } = column;
  const { assetShareValue, liabilityShareValue } = stored ?? measured;
  const accruesFrom = BigInt(stored?.accruesFrom ?? lastUpdate);
  return {
    shares: {
      assetShareValue: parseI80F48(assetShareValue),
      liabilityShareValue: parseI80F48(liabilityShareValue),
      totalAssetShares: parseI80F48(measured.totalAssetShares),
      totalLiabilityShares: parseI80F48(measured.totalLiabilityShares),
      lastUpdate: accruesFrom,
    },
    pace: {
      accruesFrom,
      depositApr: parseI80F48(stored?.depositApr ?? '0'),
      borrowApr: parseI80F48(stored?.borrowApr ?? '0'),
    },
  };
}

/** @throws ZodError or SyntaxError as `toMeasuredBank` does. */
export function readBreakerColumn(column: unknown): BreakerGate | null {
  return toBreaker(breakerColumn.parse(column));
}

function toBreaker(breaker: z.infer<typeof breakerColumn>): BreakerGate | null {
  if (breaker === null) return null;
  const { tiersBps, windowMaxUpBps, windowMaxDownBps, tier, preBreakState } = breaker;
  return {
    terms: { tiersBps, windowMaxUpBps, windowMaxDownBps },
    state: {
      tier,
      haltEndedAt: BigInt(breaker.haltEndedAt),
      referencePrice: parseI80F48(breaker.referencePrice),
      windowReferencePrice: parseI80F48(breaker.windowReferencePrice),
    },
    preBreakState,
  };
}

/** @throws ZodError or SyntaxError as `toMeasuredBank` does. */
export function readPriceColumn(column: unknown): RiskPrice {
  return toPrice(priceColumn.parse(column));
}

function toRiskBank(
  row: BankRow,
  measure: BankMeasureRow,
  leverage: SameAsset['leverage'] | null,
  { ledger, stored }: { readonly ledger: BankLedger; readonly stored: z.infer<typeof ledgerColumn> },
): RiskBank {
  const { assetShareValue, liabilityShareValue, totalAssetShares, totalLiabilityShares } = ledger;
  const emode = emodeColumn.parse(row.emode);
  const limitUsd = measure.total_asset_value_init_limit_usd;
  return {
    address: row.address,
    assetTag: row.asset_tag,
    decimals: row.decimals,
    operationalState: OPERATIONAL_STATES[ledger.config.operationalState] ?? 'Unknown',
    breaker: toBreaker(stored.breaker),
    riskTier: row.risk_tier === 'Isolated' ? 'Isolated' : 'Collateral',
    weights: {
      assetInit: parseI80F48(row.asset_weight_init),
      assetMaint: parseI80F48(row.asset_weight_maint),
      liabilityInit: parseI80F48(row.liability_weight_init),
      liabilityMaint: parseI80F48(row.liability_weight_maint),
    },
    totalAssetValueInitLimitUsd: limitUsd === null ? null : BigInt(limitUsd),
    emode: {
      tag: emode.tag,
      entries: emode.entries.map(({ collateralTag, assetWeightInit, assetWeightMaint }) => ({
        collateralTag,
        assetWeightInit: parseI80F48(assetWeightInit),
        assetWeightMaint: parseI80F48(assetWeightMaint),
      })),
    },
    premium: {
      tag: stored.premium?.tag ?? 0,
      isActive: stored.premium?.isActive ?? false,
      activatedAt: BigInt(stored.premium?.activatedAt ?? 0),
    },
    sameAsset: emode.sameAsset && leverage && { ...emode.sameAsset, leverage },
    shares: {
      assetShareValue,
      liabilityShareValue,
      totalAssetShares,
      totalLiabilityShares,
      lastUpdate: BigInt(stored.lastUpdate),
    },
  };
}

function toLedger(row: BankRow, stored: z.infer<typeof ledgerColumn>): BankLedger {
  return {
    mintDecimals: row.decimals,
    assetShareValue: parseI80F48(stored.assetShareValue),
    liabilityShareValue: parseI80F48(stored.liabilityShareValue),
    totalAssetShares: parseI80F48(stored.totalAssetShares),
    totalLiabilityShares: parseI80F48(stored.totalLiabilityShares),
    collectedInsuranceFeesOutstanding: parseI80F48(stored.insuranceFees),
    collectedGroupFeesOutstanding: parseI80F48(stored.groupFees),
    collectedProgramFeesOutstanding: parseI80F48(stored.programFees),
    lendingPositionCount: stored.lendingPositions,
    borrowingPositionCount: stored.borrowingPositions,
    flags: BigInt(stored.flags),
    config: {
      depositLimit: BigInt(stored.depositLimit),
      borrowLimit: BigInt(stored.borrowLimit),
      operationalState: stored.operationalState,
      assetTag: row.asset_tag,
      interestRateConfig: { protocolOriginationFee: parseI80F48(stored.originationFee) },
    },
    rateLimiter: toLimiter(stored.rateLimiter),
  };
}

function toPrice(column: z.infer<typeof priceColumn>): RiskPrice {
  if ('error' in column) return { kind: 'failed', error: column.error };
  return { kind: 'loaded', ...column, spot: toBand(column.spot), ema: toBand(column.ema) };
}

function toBand(column: z.infer<typeof bandColumn>): PriceBand | ProgramErrorName {
  if ('error' in column) return column.error;
  return { spot: parseI80F48(column.spot), low: parseI80F48(column.low), high: parseI80F48(column.high) };
}

function toLimiter({ hourly, daily }: z.infer<typeof limiterColumn>): RateLimiter {
  return { hourly: toWindow(hourly), daily: toWindow(daily) };
}

function toWindow(column: z.infer<typeof windowColumn>): RateLimitWindow {
  return {
    maxOutflow: BigInt(column.maxOutflow),
    windowDuration: BigInt(column.windowDuration),
    windowStart: BigInt(column.windowStart),
    prevWindowOutflow: BigInt(column.prevWindowOutflow),
    curWindowOutflow: BigInt(column.curWindowOutflow),
  };
}
