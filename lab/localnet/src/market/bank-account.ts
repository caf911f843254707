import {
  accrueBank,
  BANK_FLAG,
  createPointsCurve,
  floorI80F48,
  type I80F48,
  I80F48_ONE,
  type InterestFees,
  parseI80F48,
  totalAssetsOf,
  totalLiabilitiesOf,
} from '@lending/domain';
import {
  BANK_OPERATIONAL_STATES,
  BANK_ORACLE_SETUPS,
  BANK_RISK_TIERS,
  type Bank,
  bankLayout,
  bankMetadataLayout,
  isSince,
  MARGINFI_MAIN_GROUP,
  MARGINFI_PROGRAM,
  NO_KEY,
  type ProgramVersion,
} from '@lending/programs';
import type { Address } from '@solana/kit';
import type { AccountState } from '#engine/engine.ts';
import { madeOf } from './account-state.ts';
import type { BankAddresses } from './bank-addresses.ts';
import type { DemoBank } from './demo-bank.ts';
import { DEMO_FEEDS, type DemoFeedName } from './feeds.ts';
import { PROGRAM_FEE } from './group-accounts.ts';
import { PREMIUM_SECONDS, PREMIUM_TAG } from './premiums.ts';
import { DEMO_TOKENS } from './tokens.ts';

/** When the totals of the table were read on mainnet: 2026-04-04 14:53 UTC. */
const TOTALS_READ_AT = 1_775_314_380n;

/** Tells the program that the oracle keys hold push accounts and not feed ids. Every bank of the main group has it. */
const PYTH_MIGRATED = 1;
const EMODE_ON = 1;
/** When the operators last set e-mode on most banks. */
const EMODE_SET_AT = 1_770_736_096n;

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
  return madeOf(MARGINFI_PROGRAM, bankLayout, (zero) => ({
    ...zero,
    mint: token.mint,
    mintDecimals: token.decimals,
    group: MARGINFI_MAIN_GROUP,
    liquidityVault: liquidity.address,
    liquidityVaultBump: liquidity.bump,
    liquidityVaultAuthorityBump: liquidity.authorityBump,
    insuranceVault: insurance.address,
    insuranceVaultBump: insurance.bump,
    insuranceVaultAuthorityBump: insurance.authorityBump,
    feeVault: fee.address,
    feeVaultBump: fee.bump,
    feeVaultAuthorityBump: fee.authorityBump,
    ...accountingSince(bank, unixTimestamp),
    config: { ...zero.config, ...configOf(bank, integration[0], zero.config), ...breakerTermsOf(breaker) },
    flags,
    emode: emodeOf(bank, zero.emode),
    lendingPositionCount: bank.positions.lending,
    borrowingPositionCount: bank.positions.borrowing,
    integrationAcc1: integration[0],
    integrationAcc2: integration[1],
    integrationAcc3: integration[2],
    bankSeed: bank.seed ?? 0n,
    ...(breaker === undefined ? {} : breakerStateOf(bank.feed, unixTimestamp)),
    premiumTag: premium === undefined ? 0 : PREMIUM_TAG[premium.tag],
    premiumActivatedAt: premium?.isActive === true ? unixTimestamp - PREMIUM_SECONDS : 0n,
  }));
}

/** The name the operators gave the bank. */
export function metadataAccount(bank: DemoBank, bump: number): AccountState {
  const text = new TextEncoder();
  const [ticker, description] = [text.encode(bank.ticker), text.encode(bank.description)];
  return madeOf(MARGINFI_PROGRAM, bankMetadataLayout, (zero) => ({
    ...zero,
    bank: bank.address,
    ticker,
    description,
    endDescriptionByte: description.length - 1,
    endTickerByte: ticker.length - 1,
    bump,
  }));
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

function configOf(bank: DemoBank, venueAccount: Address, zero: Bank['config']) {
  return {
    assetWeightInit: parseI80F48(bank.weights.assetInit),
    assetWeightMaint: parseI80F48(bank.weights.assetMaint),
    liabilityWeightInit: parseI80F48(bank.weights.liabilityInit),
    liabilityWeightMaint: parseI80F48(bank.weights.liabilityMaint),
    depositLimit: bank.depositLimit,
    interestRateConfig: { ...zero.interestRateConfig, ...interestOf(bank, zero.interestRateConfig.points) },
    operationalState: BANK_OPERATIONAL_STATES.indexOf(bank.state),
    oracleSetup: BANK_ORACLE_SETUPS.indexOf(bank.oracleSetup),
    oracleKeys: oracleKeysOf(bank, venueAccount),
    borrowLimit: bank.borrowLimit,
    riskTier: BANK_RISK_TIERS.indexOf(bank.riskTier),
    assetTag: bank.assetTag,
    configFlags: PYTH_MIGRATED,
    totalAssetValueInitLimit: bank.valueLimitUsd,
    oracleMaxAge: bank.oracleMaxAgeSeconds,
  };
}

/** A breach up to so many durations after a halt continues that halt; a tenth of each price within bounds goes into the reference. */
const BREAKER = { cbEscalationWindowMult: 2, cbEmaAlphaBps: 1_000 } as const;

function breakerTermsOf(breaker: DemoBank['breaker']) {
  if (breaker === undefined) return {};
  const { tiersBps, tierSeconds } = breaker;
  return { ...BREAKER, cbDeviationBpsTiers: [...tiersBps], cbTierDurationsSeconds: [...tierSeconds] };
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

function interestOf(bank: DemoBank, unused: Bank['config']['interestRateConfig']['points']) {
  const { insurance, group } = feesOf(bank);
  return {
    insuranceFeeFixedApr: insurance.fixedApr,
    insuranceIrFee: insurance.rate,
    protocolFixedFeeApr: group.fixedApr,
    protocolIrFee: group.rate,
    zeroUtilRate: bank.curve.zeroUtilRate,
    hundredUtilRate: bank.curve.hundredUtilRate,
    points: [...bank.curve.points, ...unused.slice(bank.curve.points.length)],
    curveType: 1,
  };
}

/** Entries ascend by tag; the unused ones stand in front, as a sort by tag leaves them. */
function emodeOf(bank: DemoBank, zero: Bank['emode']) {
  const { entries } = zero.emodeConfig;
  const used = bank.emode.map(({ tag, assetInit, assetMaint }) => ({
    collateralBankEmodeTag: tag,
    flags: EMODE_ON,
    pad0: new Uint8Array(5),
    assetWeightInit: parseI80F48(assetInit),
    assetWeightMaint: parseI80F48(assetMaint),
  }));
  return {
    ...zero,
    emodeTag: bank.emodeTag,
    timestamp: bank.emodeTag === 0 ? 0n : EMODE_SET_AT,
    flags: used.length === 0 ? 0n : BigInt(EMODE_ON),
    emodeConfig: { entries: [...entries.slice(used.length), ...used] },
  };
}

/**
 * What a P0 bank's liquidity vault holds: what was deposited and not lent out, and the fees that borrowers owe the fee takers
 * until somebody collects them. Base units, rounded down.
 */
export function vaultAmountOf(bank: Bank): bigint {
  return floorI80F48(totalAssetsOf(bank) - totalLiabilitiesOf(bank) + outstandingFeesOf(bank));
}

function outstandingFeesOf(bank: Bank): I80F48 {
  return (
    bank.collectedInsuranceFeesOutstanding + bank.collectedGroupFeesOutstanding + bank.collectedProgramFeesOutstanding
  );
}
