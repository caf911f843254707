import { accrueBank, BANK_FLAG, createPointsCurve, I80F48_ONE, type InterestFees, parseI80F48 } from '@lending/domain';
import {
  BANK_OPERATIONAL_STATES,
  BANK_ORACLE_SETUPS,
  BANK_RISK_TIERS,
  type BankArgs,
  bankLayout,
  bankMetadataLayout,
  isSince,
  MARGINFI_MAIN_GROUP,
  NO_KEY,
  type ProgramVersion,
} from '@lending/programs';
import type { Address } from '@solana/kit';
import type { AccountState } from '#engine/engine.ts';
import type { BankAddresses } from './bank-addresses.ts';
import type { DemoBank } from './demo-bank.ts';
import { DEMO_FEEDS, type DemoFeedName } from './feeds.ts';
import { PROGRAM_FEE, programAccount, RATE_LIMITER_OFF } from './group-accounts.ts';
import { PREMIUM_SECONDS, PREMIUM_TAG } from './premiums.ts';
import { DEMO_TOKENS } from './tokens.ts';

/** When the totals of the table were read on mainnet: 2026-04-04 14:53 UTC. */
const TOTALS_READ_AT = 1_775_314_380n;

/** Tells the program that the oracle keys hold push accounts and not feed ids. Every bank of the main group has it. */
const PYTH_MIGRATED = 1;
const EMODE_ON = 1;
/** When the operators last set e-mode on most banks. */
const EMODE_SET_AT = 1_770_736_096n;
const MAX_CURVE_POINTS = 5;
const MAX_EMODE_ENTRIES = 10;

/** The bank as its row states it, with interest since the row was read; what its program does not know yet is left out. */
export function bankAccount(
  bank: DemoBank,
  addresses: BankAddresses,
  { unixTimestamp, programVersion }: { readonly unixTimestamp: bigint; readonly programVersion: ProgramVersion },
): AccountState {
  const token = DEMO_TOKENS[bank.token];
  const { liquidity, insurance, fee, integration } = addresses;
  const breaker = isSince(programVersion, '0.1.10') ? bank.breaker : undefined;
  const premium = isSince(programVersion, '0.1.12') ? bank.premium : undefined;
  const flags =
    (token.tokenProgram === 'token_2022' ? BANK_FLAG.isToken2022 : 0n) |
    (bank.seed === undefined ? 0n : BANK_FLAG.hasKnownSeed) |
    (bank.singlePool?.countsOnRamp === true ? BANK_FLAG.usesStakedOnRamp : 0n) |
    (breaker === undefined ? 0n : BANK_FLAG.hasCircuitBreaker) |
    (premium?.isActive === true ? BANK_FLAG.chargesPremium : 0n) |
    (bank.isSameAssetEligible === true && isSince(programVersion, '0.1.10') ? BANK_FLAG.isSameAssetEligible : 0n);
  const encoded = bankLayout.encode({
    mint: token.mint,
    mintDecimals: token.decimals,
    group: MARGINFI_MAIN_GROUP,
    _pad0: new Uint8Array(7),
    liquidityVault: liquidity.address,
    liquidityVaultBump: liquidity.bump,
    liquidityVaultAuthorityBump: liquidity.authorityBump,
    insuranceVault: insurance.address,
    insuranceVaultBump: insurance.bump,
    insuranceVaultAuthorityBump: insurance.authorityBump,
    _pad1: new Uint8Array(4),
    feeVault: fee.address,
    feeVaultBump: fee.bump,
    feeVaultAuthorityBump: fee.authorityBump,
    _pad2: new Uint8Array(6),
    ...accountingSince(bank, unixTimestamp),
    config: { ...configOf(bank, integration[0]), ...breakerTermsOf(breaker) },
    flags,
    emissionsRate: 0n,
    emissionsRemaining: 0n,
    emissionsMint: NO_KEY,
    emode: emodeOf(bank),
    feesDestinationAccount: NO_KEY,
    cache: EMPTY_CACHE,
    lendingPositionCount: bank.positions.lending,
    borrowingPositionCount: bank.positions.borrowing,
    liquidationLiquidatorFee: 0,
    liquidationInsuranceFee: 0,
    _padding_0: new Uint8Array(8),
    integrationAcc1: integration[0],
    integrationAcc2: integration[1],
    integrationAcc3: integration[2],
    rateLimiter: RATE_LIMITER_OFF,
    bankSeed: bank.seed ?? 0n,
    ...NEITHER_BREAKER_NOR_PREMIUM,
    ...(breaker === undefined ? {} : breakerStateOf(bank.feed, unixTimestamp)),
    premiumTag: premium === undefined ? 0 : PREMIUM_TAG[premium.tag],
    premiumActivatedAt: premium?.isActive === true ? unixTimestamp - PREMIUM_SECONDS : 0n,
  });
  return programAccount(encoded);
}

/** The name the operators gave the bank. */
export function metadataAccount(bank: DemoBank, bump: number): AccountState {
  const text = new TextEncoder();
  const [ticker, description] = [text.encode(bank.ticker), text.encode(bank.description)];
  const encoded = bankMetadataLayout.encode({
    bank: bank.address,
    placeholder: 0n,
    ticker,
    description,
    dataBlob: new Uint8Array(256),
    endDescriptionByte: description.length - 1,
    endDataBlob: 0,
    endTickerByte: ticker.length - 1,
    bump,
    _pad0: new Uint8Array(2),
  });
  return programAccount(encoded);
}

/** Shares and fees at a time: those of the row, accrued in one step. A time before the row was read changes nothing. */
function accountingSince(bank: DemoBank, unixTimestamp: bigint) {
  const shares = {
    assetShareValue: parseI80F48(bank.shares.assetValue),
    liabilityShareValue: parseI80F48(bank.shares.liabilityValue),
    totalAssetShares: parseI80F48(bank.shares.assets),
    totalLiabilityShares: parseI80F48(bank.shares.liabilities),
    lastUpdate: TOTALS_READ_AT,
  };
  const accrued = accrueBank(shares, curveOf(bank), feesOf(bank), unixTimestamp);
  if (accrued === null) throw new TypeError(`The demo bank ${bank.address} has a curve that cannot be read`);
  return {
    assetShareValue: accrued.assetShareValue,
    liabilityShareValue: accrued.liabilityShareValue,
    totalAssetShares: accrued.totalAssetShares,
    totalLiabilityShares: accrued.totalLiabilityShares,
    collectedInsuranceFeesOutstanding: parseI80F48(bank.feesOutstanding.insurance) + accrued.insuranceFees,
    collectedGroupFeesOutstanding: parseI80F48(bank.feesOutstanding.group) + accrued.groupFees,
    collectedProgramFeesOutstanding: accrued.programFees,
    lastUpdate: unixTimestamp,
  };
}

function curveOf(bank: DemoBank) {
  return createPointsCurve(bank.curve.zeroUtilRate, bank.curve.hundredUtilRate, bank.curve.points);
}

function feesOf({ fees }: DemoBank): InterestFees {
  return {
    insurance: { rate: parseI80F48(fees.insuranceIr), fixedApr: 0n },
    group: { rate: parseI80F48(fees.groupIr), fixedApr: parseI80F48(fees.groupFixedApr) },
    program: PROGRAM_FEE,
  };
}

function configOf(bank: DemoBank, venueAccount: Address): BankArgs['config'] {
  return {
    assetWeightInit: parseI80F48(bank.weights.assetInit),
    assetWeightMaint: parseI80F48(bank.weights.assetMaint),
    liabilityWeightInit: parseI80F48(bank.weights.liabilityInit),
    liabilityWeightMaint: parseI80F48(bank.weights.liabilityMaint),
    depositLimit: bank.depositLimit,
    interestRateConfig: interestOf(bank),
    operationalState: BANK_OPERATIONAL_STATES.indexOf(bank.state),
    oracleSetup: BANK_ORACLE_SETUPS.indexOf(bank.oracleSetup),
    oracleKeys: oracleKeysOf(bank, venueAccount),
    cbWindowMaxUpBps: 0,
    cbWindowMaxDownBps: 0,
    _pad0: new Uint8Array(2),
    borrowLimit: bank.borrowLimit,
    riskTier: BANK_RISK_TIERS.indexOf(bank.riskTier),
    assetTag: bank.assetTag,
    configFlags: PYTH_MIGRATED,
    _pad1: new Uint8Array(1),
    cbWindowSeconds: 0,
    totalAssetValueInitLimit: bank.valueLimitUsd,
    oracleMaxAge: bank.oracleMaxAgeSeconds,
    scopeEntryIndex: 0,
    oracleMaxConfidence: 0,
    fixedPrice: 0n,
    _cb_config_pad: new Uint8Array(1),
    ...breakerTermsOf(undefined),
  };
}

/** A breach up to so many durations after a halt continues that halt; a tenth of each price within bounds goes into the reference. */
const BREAKER = { cbEscalationWindowMult: 2, cbEmaAlphaBps: 1_000 } as const;

function breakerTermsOf(breaker: DemoBank['breaker']) {
  return {
    cbDeviationBpsTiers: [...(breaker?.tiersBps ?? [0, 0, 0])],
    cbTierDurationsSeconds: [...(breaker?.tierSeconds ?? [0, 0, 0])],
    ...(breaker === undefined ? { cbEscalationWindowMult: 0, cbEmaAlphaBps: 0 } : BREAKER),
  };
}

/** The state of a breaker that has seen one price: the one around which the bank's feed moves. */
function breakerStateOf(name: DemoFeedName, unixTimestamp: bigint) {
  const { baseRaw, exponent } = DEMO_FEEDS[name];
  const price = (baseRaw * I80F48_ONE) / 10n ** BigInt(-exponent);
  return { cbReferencePrice: price, cbWindowReferencePrice: price, cbWindowStartedAt: unixTimestamp };
}

function oracleKeysOf({ feed, token, singlePool }: DemoBank, venueAccount: Address): Address[] {
  const { account } = DEMO_FEEDS[feed];
  return singlePool === undefined
    ? [account, venueAccount, NO_KEY, NO_KEY, NO_KEY]
    : [account, DEMO_TOKENS[token].mint, singlePool.stake, NO_KEY, NO_KEY];
}

function interestOf(bank: DemoBank): BankArgs['config']['interestRateConfig'] {
  const { insurance, group } = feesOf(bank);
  const unused = Array.from({ length: MAX_CURVE_POINTS - bank.curve.points.length }, () => ({ util: 0, rate: 0 }));
  return {
    optimalUtilizationRate: 0n,
    plateauInterestRate: 0n,
    maxInterestRate: 0n,
    insuranceFeeFixedApr: insurance.fixedApr,
    insuranceIrFee: insurance.rate,
    protocolFixedFeeApr: group.fixedApr,
    protocolIrFee: group.rate,
    protocolOriginationFee: 0n,
    zeroUtilRate: bank.curve.zeroUtilRate,
    hundredUtilRate: bank.curve.hundredUtilRate,
    points: [...bank.curve.points, ...unused],
    curveType: 1,
    _pad0: new Uint8Array(7),
    _padding1: new Uint8Array(32),
    _padding2: new Uint8Array(16),
    _padding3: new Uint8Array(8),
  };
}

/** Entries ascend by tag; the unused ones stand in front, as a sort by tag leaves them. */
function emodeOf(bank: DemoBank): BankArgs['emode'] {
  const used = bank.emode.map(({ tag, assetInit, assetMaint }) => ({
    collateralBankEmodeTag: tag,
    flags: EMODE_ON,
    pad0: new Uint8Array(5),
    assetWeightInit: parseI80F48(assetInit),
    assetWeightMaint: parseI80F48(assetMaint),
  }));
  const unused = Array.from({ length: MAX_EMODE_ENTRIES - used.length }, () => ({
    collateralBankEmodeTag: 0,
    flags: 0,
    pad0: new Uint8Array(5),
    assetWeightInit: 0n,
    assetWeightMaint: 0n,
  }));
  return {
    emodeTag: bank.emodeTag,
    pad0: new Uint8Array(6),
    timestamp: bank.emodeTag === 0 ? 0n : EMODE_SET_AT,
    flags: used.length === 0 ? 0n : BigInt(EMODE_ON),
    emodeConfig: { entries: [...unused, ...used] },
  };
}

const NEITHER_BREAKER_NOR_PREMIUM = {
  collectedPremiumOutstanding: 0n,
  cbHaltStartedAt: 0n,
  cbHaltEndedAt: 0n,
  cbTier: 0,
  cbTier3ConsecutiveTrips: 0,
  cbPreBreakState: 0,
  _cb_pad: new Uint8Array(5),
  cbLastObservedSlot: 0n,
  cbLastOracleSourceTime: 0n,
  cbReferencePrice: 0n,
  cbWindowReferencePrice: 0n,
  cbWindowStartedAt: 0n,
  cbFrozenSecondsPending: 0n,
  premiumTag: 0,
  _padding_1: new Uint8Array(6),
  premiumActivatedAt: 0n,
} as const;

const EMPTY_CACHE: BankArgs['cache'] = {
  baseRate: 0,
  lendingRate: 0,
  borrowingRate: 0,
  interestAccumulatedFor: 0,
  accumulatedSinceLastUpdate: 0n,
  lastOraclePrice: 0n,
  lastOraclePriceTimestamp: 0n,
  lastOraclePriceConfidence: 0n,
  liqCacheFlags: 0,
  _cb_cache_pad: new Uint8Array(7),
  priceMultiplier: 0n,
  liquidationPriceRt: 0n,
  liquidationPriceRtConfidence: 0n,
  liquidationPriceTwap: 0n,
  liquidationPriceTwapConfidence: 0n,
};
