import {
  BANK_FLAG,
  createPointsCurve,
  type InterestCurve,
  limitFromU64,
  type OperationalState,
  type OracleSetup,
  type RiskEmode,
  type RiskTier,
  venueOfAssetTag,
} from '@lending/domain';
import { LendingError } from '@lending/errors';
import {
  BANK_OPERATIONAL_STATES,
  BANK_ORACLE_SETUPS,
  BANK_RISK_TIERS,
  type Bank,
  bankLayout,
  NO_KEY,
} from '@lending/programs';
import type { Address } from '@solana/kit';
import type { AccountBytes } from '../account.ts';
import { decodeAccount } from '../decode-account.ts';
import type { P0Bank, P0InterestCache, P0Oracle } from './bank.ts';
import { readBreaker } from './read-breaker.ts';

/** @see marginfi-v2 type-crate/src/types/bank_cache.rs `LIQ_CACHE_LOCKED_FLAG` */
const PRICES_LOCKED = 1;

/**
 * Reads a bank. Numbers a newer program may have added to enums become `Unknown`, longer accounts are accepted.
 * @throws DECODE__OWNER_MISMATCH, DECODE__DISCRIMINATOR_MISMATCH, DECODE__ACCOUNT_MALFORMED
 * @throws DECODE__VALUE_OUT_OF_RANGE for a number that no bank can have: it would make every figure below it wrong.
 * @see marginfi-v2 type-crate/src/types/bank.rs
 */
export function decodeBank(account: AccountBytes, programId: Address): P0Bank {
  const bank = decodeAccount(account, { kind: 'bank', owner: programId }, bankLayout);
  assertInRange(account.address, bank);
  const { config } = bank;
  const venue = venueOfAssetTag(config.assetTag);
  if (venue === null) throw outOfRange(account.address, 'asset_tag', config.assetTag);
  return {
    address: account.address,
    group: bank.group,
    venue,
    mint: bank.mint,
    decimals: bank.mintDecimals,
    assetTag: config.assetTag,
    operationalState: (BANK_OPERATIONAL_STATES[config.operationalState] ?? 'Unknown') satisfies OperationalState,
    breaker: (bank.flags & BANK_FLAG.hasCircuitBreaker) === 0n ? null : readBreaker(account.data),
    riskTier: riskTierOf(account.address, config.riskTier),
    weights: {
      assetInit: config.assetWeightInit,
      assetMaint: config.assetWeightMaint,
      liabilityInit: config.liabilityWeightInit,
      liabilityMaint: config.liabilityWeightMaint,
    },
    depositLimit: limitFromU64(config.depositLimit),
    borrowLimit: limitFromU64(config.borrowLimit),
    totalAssetValueInitLimitUsd: config.totalAssetValueInitLimit === 0n ? null : config.totalAssetValueInitLimit,
    originationFee: config.interestRateConfig.protocolOriginationFee,
    flags: bank.flags,
    emode: emodeOf(bank),
    oracle: oracleOf(bank),
    curve: curveOf(bank),
    fees: {
      insurance: {
        rate: config.interestRateConfig.insuranceIrFee,
        fixedApr: config.interestRateConfig.insuranceFeeFixedApr,
      },
      group: {
        rate: config.interestRateConfig.protocolIrFee,
        fixedApr: config.interestRateConfig.protocolFixedFeeApr,
      },
    },
    shares: {
      assetShareValue: bank.assetShareValue,
      liabilityShareValue: bank.liabilityShareValue,
      totalAssetShares: bank.totalAssetShares,
      totalLiabilityShares: bank.totalLiabilityShares,
      lastUpdate: bank.lastUpdate,
    },
    liquidityVault: bank.liquidityVault,
    insuranceVault: bank.insuranceVault,
    feeVault: bank.feeVault,
    feesOutstanding: {
      insurance: bank.collectedInsuranceFeesOutstanding,
      group: bank.collectedGroupFeesOutstanding,
      program: bank.collectedProgramFeesOutstanding,
    },
    premium: {
      tag: bank.premiumTag,
      isActive: (bank.flags & BANK_FLAG.chargesPremium) !== 0n,
      activatedAt: bank.premiumActivatedAt,
      collected: bank.collectedPremiumOutstanding,
    },
    positionCounts: { lending: bank.lendingPositionCount, borrowing: bank.borrowingPositionCount },
    rateLimiter: bank.rateLimiter,
    bankSeed: bank.bankSeed,
    oracleCache: {
      price: bank.cache.lastOraclePrice,
      confidence: bank.cache.lastOraclePriceConfidence,
      multiplier: bank.cache.priceMultiplier === 0n ? null : bank.cache.priceMultiplier,
      readAt: bank.cache.lastOraclePriceTimestamp,
    },
    interestCache: interestCacheOf(bank),
    venueAccount: venue === 'p0' || bank.integrationAcc1 === NO_KEY ? null : bank.integrationAcc1,
    integrationAccounts: [bank.integrationAcc1, bank.integrationAcc2, bank.integrationAcc3],
  };
}

function interestCacheOf({ cache }: Bank): P0InterestCache {
  return {
    baseRate: cache.baseRate,
    lendingRate: cache.lendingRate,
    borrowingRate: cache.borrowingRate,
    accruedSeconds: BigInt(cache.interestAccumulatedFor),
    accruedToDepositors: cache.accumulatedSinceLastUpdate,
    isLocked: (cache.liqCacheFlags & PRICES_LOCKED) !== 0,
    lockedPrices: [
      cache.liquidationPriceRt,
      cache.liquidationPriceRtConfidence,
      cache.liquidationPriceTwap,
      cache.liquidationPriceTwapConfidence,
    ],
  };
}

function riskTierOf(bank: Address, value: number): RiskTier {
  const tier = BANK_RISK_TIERS[value];
  if (tier === undefined) throw outOfRange(bank, 'risk_tier', value);
  return tier;
}

function oracleOf({ config }: Bank): P0Oracle {
  return {
    setup: (BANK_ORACLE_SETUPS[config.oracleSetup] ?? 'Unknown') satisfies OracleSetup,
    keys: config.oracleKeys,
    maxAgeSeconds: config.oracleMaxAge,
    maxConfidence: config.oracleMaxConfidence,
    fixedPrice: config.fixedPrice,
    scopeEntry: config.scopeEntryIndex,
  };
}

function emodeOf({ emode }: Bank): RiskEmode {
  return {
    tag: emode.emodeTag,
    entries: emode.emodeConfig.entries
      .filter((entry) => entry.collateralBankEmodeTag !== 0)
      .map((entry) => ({
        collateralTag: entry.collateralBankEmodeTag,
        assetWeightInit: entry.assetWeightInit,
        assetWeightMaint: entry.assetWeightMaint,
      })),
  };
}

function curveOf({ config }: Bank): InterestCurve {
  const rates = config.interestRateConfig;
  switch (rates.curveType) {
    case 0:
      return {
        kind: 'legacy',
        optimalUtilization: rates.optimalUtilizationRate,
        plateauApr: rates.plateauInterestRate,
        maxApr: rates.maxInterestRate,
      };
    case 1:
      return createPointsCurve(rates.zeroUtilRate, rates.hundredUtilRate, rates.points);
    default:
      return { kind: 'unknown', curveType: rates.curveType };
  }
}

/** The program's `EXP_10` table ends before 24 decimals, and none of these numbers is ever negative. */
function assertInRange(bank: Address, decoded: Bank): void {
  if (decoded.mintDecimals >= 24) throw outOfRange(bank, 'mint_decimals', decoded.mintDecimals);
  const notNegative = {
    asset_share_value: decoded.assetShareValue,
    liability_share_value: decoded.liabilityShareValue,
    total_asset_shares: decoded.totalAssetShares,
    total_liability_shares: decoded.totalLiabilityShares,
    last_update: decoded.lastUpdate,
    asset_weight_init: decoded.config.assetWeightInit,
    asset_weight_maint: decoded.config.assetWeightMaint,
    liability_weight_init: decoded.config.liabilityWeightInit,
    liability_weight_maint: decoded.config.liabilityWeightMaint,
    protocol_origination_fee: decoded.config.interestRateConfig.protocolOriginationFee,
  };
  for (const [field, value] of Object.entries(notNegative)) if (value < 0n) throw outOfRange(bank, field, value);
}

function outOfRange(bank: Address, field: string, value: bigint | number): LendingError {
  return new LendingError('DECODE__VALUE_OUT_OF_RANGE', {
    message: `bank ${bank} has ${field} ${value}`,
    context: { address: bank, field, value: value.toString() },
  });
}
