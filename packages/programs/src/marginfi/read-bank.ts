import type { FixedSizeDecoder } from '@solana/kit';
import { addressAt } from '#fixed-offset/addresses.ts';
import { bytesAt } from '#fixed-offset/bytes.ts';
import { getFixedOffsetDecoder } from '#fixed-offset/fixed-offset-decoder.ts';
import { i32At, i64At, i128At, u8At, u16At, u32At, u64At } from '#fixed-offset/integers.ts';
import { BANK_DISCRIMINATOR, type Bank, getBankCodec } from './bank.ts';
import { rateLimiterAt } from './read-rate-limiter.ts';

/** Decodes to what the codec does, and much faster. */
export function getBankDecoder(): FixedSizeDecoder<Bank> {
  return getFixedOffsetDecoder(BANK_DISCRIMINATOR, getBankCodec(), bankAt);
}

/** A bank, each field at its offset: the same value as the codec's. */
function bankAt(view: DataView): Bank {
  return {
    mint: addressAt(view, 8),
    mintDecimals: u8At(view, 40),
    group: addressAt(view, 41),
    _pad0: bytesAt(view, 73, 7),
    assetShareValue: i128At(view, 80),
    liabilityShareValue: i128At(view, 96),
    liquidityVault: addressAt(view, 112),
    liquidityVaultBump: u8At(view, 144),
    liquidityVaultAuthorityBump: u8At(view, 145),
    insuranceVault: addressAt(view, 146),
    insuranceVaultBump: u8At(view, 178),
    insuranceVaultAuthorityBump: u8At(view, 179),
    _pad1: bytesAt(view, 180, 4),
    collectedInsuranceFeesOutstanding: i128At(view, 184),
    feeVault: addressAt(view, 200),
    feeVaultBump: u8At(view, 232),
    feeVaultAuthorityBump: u8At(view, 233),
    _pad2: bytesAt(view, 234, 6),
    collectedGroupFeesOutstanding: i128At(view, 240),
    totalLiabilityShares: i128At(view, 256),
    totalAssetShares: i128At(view, 272),
    lastUpdate: i64At(view, 288),
    config: configAt(view),
    flags: u64At(view, 840),
    emissionsRate: u64At(view, 848),
    emissionsRemaining: i128At(view, 856),
    emissionsMint: addressAt(view, 872),
    collectedProgramFeesOutstanding: i128At(view, 904),
    emode: emodeAt(view),
    feesDestinationAccount: addressAt(view, 1344),
    cache: cacheAt(view),
    lendingPositionCount: i32At(view, 1536),
    borrowingPositionCount: i32At(view, 1540),
    _padding_0: bytesAt(view, 1544, 16),
    integrationAcc1: addressAt(view, 1560),
    integrationAcc2: addressAt(view, 1592),
    integrationAcc3: addressAt(view, 1624),
    rateLimiter: rateLimiterAt(view, 1656),
    _pad_0: bytesAt(view, 1736, 16),
    bankSeed: u64At(view, 1752),
    _padding_1: bytesAt(view, 1760, 104),
  };
}

function configAt(view: DataView): Bank['config'] {
  return {
    assetWeightInit: i128At(view, 296),
    assetWeightMaint: i128At(view, 312),
    liabilityWeightInit: i128At(view, 328),
    liabilityWeightMaint: i128At(view, 344),
    depositLimit: u64At(view, 360),
    interestRateConfig: interestRateConfigAt(view),
    operationalState: u8At(view, 608),
    oracleSetup: u8At(view, 609),
    oracleKeys: [
      addressAt(view, 610),
      addressAt(view, 642),
      addressAt(view, 674),
      addressAt(view, 706),
      addressAt(view, 738),
    ],
    _pad0: bytesAt(view, 770, 6),
    borrowLimit: u64At(view, 776),
    riskTier: u8At(view, 784),
    assetTag: u8At(view, 785),
    configFlags: u8At(view, 786),
    _pad1: bytesAt(view, 787, 5),
    totalAssetValueInitLimit: u64At(view, 792),
    oracleMaxAge: u16At(view, 800),
    _padding0: bytesAt(view, 802, 2),
    oracleMaxConfidence: u32At(view, 804),
    fixedPrice: i128At(view, 808),
    _padding1: bytesAt(view, 824, 16),
  };
}

function interestRateConfigAt(view: DataView): Bank['config']['interestRateConfig'] {
  return {
    optimalUtilizationRate: i128At(view, 368),
    plateauInterestRate: i128At(view, 384),
    maxInterestRate: i128At(view, 400),
    insuranceFeeFixedApr: i128At(view, 416),
    insuranceIrFee: i128At(view, 432),
    protocolFixedFeeApr: i128At(view, 448),
    protocolIrFee: i128At(view, 464),
    protocolOriginationFee: i128At(view, 480),
    zeroUtilRate: u32At(view, 496),
    hundredUtilRate: u32At(view, 500),
    points: [
      ratePointAt(view, 504),
      ratePointAt(view, 512),
      ratePointAt(view, 520),
      ratePointAt(view, 528),
      ratePointAt(view, 536),
    ],
    curveType: u8At(view, 544),
    _pad0: bytesAt(view, 545, 7),
    _padding1: bytesAt(view, 552, 32),
    _padding2: bytesAt(view, 584, 16),
    _padding3: bytesAt(view, 600, 8),
  };
}

function ratePointAt(view: DataView, at: number): Bank['config']['interestRateConfig']['points'][number] {
  return { util: u32At(view, at), rate: u32At(view, at + 4) };
}

function emodeAt(view: DataView): Bank['emode'] {
  return {
    emodeTag: u16At(view, 920),
    pad0: bytesAt(view, 922, 6),
    timestamp: i64At(view, 928),
    flags: u64At(view, 936),
    emodeConfig: {
      entries: [
        emodeEntryAt(view, 944),
        emodeEntryAt(view, 984),
        emodeEntryAt(view, 1024),
        emodeEntryAt(view, 1064),
        emodeEntryAt(view, 1104),
        emodeEntryAt(view, 1144),
        emodeEntryAt(view, 1184),
        emodeEntryAt(view, 1224),
        emodeEntryAt(view, 1264),
        emodeEntryAt(view, 1304),
      ],
    },
  };
}

function emodeEntryAt(view: DataView, at: number): Bank['emode']['emodeConfig']['entries'][number] {
  return {
    collateralBankEmodeTag: u16At(view, at),
    flags: u8At(view, at + 2),
    pad0: bytesAt(view, at + 3, 5),
    assetWeightInit: i128At(view, at + 8),
    assetWeightMaint: i128At(view, at + 24),
  };
}

function cacheAt(view: DataView): Bank['cache'] {
  return {
    baseRate: u32At(view, 1376),
    lendingRate: u32At(view, 1380),
    borrowingRate: u32At(view, 1384),
    interestAccumulatedFor: u32At(view, 1388),
    accumulatedSinceLastUpdate: i128At(view, 1392),
    lastOraclePrice: i128At(view, 1408),
    lastOraclePriceTimestamp: i64At(view, 1424),
    lastOraclePriceConfidence: i128At(view, 1432),
    liqCacheFlags: u8At(view, 1448),
    _pad0: bytesAt(view, 1449, 7),
    priceMultiplier: i128At(view, 1456),
    liquidationPriceRt: i128At(view, 1472),
    liquidationPriceRtConfidence: i128At(view, 1488),
    liquidationPriceTwap: i128At(view, 1504),
    liquidationPriceTwapConfidence: i128At(view, 1520),
  };
}
