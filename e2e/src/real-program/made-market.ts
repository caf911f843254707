import { parseI80F48 } from '@lending/domain';
import type { AccountState } from '@lending/localnet';
import { bankLayout, feeStateLayout, MARGINFI_PROGRAM, marginfiGroupLayout, type ValueOf } from '@lending/programs';
import type { Address } from '@solana/kit';
import { ADMIN, FEE_WALLET, GROUP } from './addresses.ts';
import { FEE_STATE, FEE_STATE_BUMP } from './bootstrap.ts';
import { legacyCurve, MARKET, type MarketBank, ORACLE_MAX_AGE, PROGRAM_FEE, START_TIME } from './market.ts';
import { programState, tokenState } from './world.ts';

const PROGRAM_FEES_ENABLED = 1n;
const ONE = parseI80F48('1');

/** The market as the program's admin instructions leave it, written with our own codecs: what a chain without the program starts from. */
export function madeMarket(): ReadonlyMap<Address, AccountState> {
  const accounts = new Map<Address, AccountState>([
    [FEE_STATE, feeState()],
    [GROUP, group()],
  ]);
  for (const bank of MARKET.values()) {
    accounts.set(bank.address, bankState(bank));
    for (const { address, authority } of Object.values(bank.vaults)) accounts.set(address, tokenState(bank, authority));
  }
  return accounts;
}

/** An account with its discriminator and nothing else. */
function empty(discriminator: Uint8Array, size: number): Uint8Array {
  const data = new Uint8Array(size);
  data.set(discriminator);
  return data;
}

function feeState(): AccountState {
  const codec = feeStateLayout;
  const data = codec.encode({
    ...codec.decode(empty(feeStateLayout.discriminator, feeStateLayout.fixedSize)),
    key: FEE_STATE,
    globalFeeAdmin: ADMIN,
    globalFeeWallet: FEE_WALLET,
    bankInitFlatSolFee: 10_000,
    bumpSeed: FEE_STATE_BUMP,
    programFeeFixed: PROGRAM_FEE.fixed,
    programFeeRate: PROGRAM_FEE.rate,
  });
  return programState(MARGINFI_PROGRAM, new Uint8Array(data));
}

function group(): AccountState {
  const codec = marginfiGroupLayout;
  const blank = codec.decode(empty(marginfiGroupLayout.discriminator, marginfiGroupLayout.fixedSize));
  const data = codec.encode({
    ...blank,
    admin: ADMIN,
    groupFlags: PROGRAM_FEES_ENABLED,
    feeStateCache: {
      ...blank.feeStateCache,
      globalFeeWallet: FEE_WALLET,
      programFeeFixed: PROGRAM_FEE.fixed,
      programFeeRate: PROGRAM_FEE.rate,
    },
  });
  return programState(MARGINFI_PROGRAM, new Uint8Array(data));
}

function bankState(bank: MarketBank): AccountState {
  const codec = bankLayout;
  const blank = codec.decode(empty(bankLayout.discriminator, bankLayout.fixedSize));
  const { liquidity, insurance, fee } = bank.vaults;
  const data = codec.encode({
    ...blank,
    mint: bank.mint,
    mintDecimals: bank.decimals,
    group: GROUP,
    assetShareValue: ONE,
    liabilityShareValue: ONE,
    liquidityVault: liquidity.address,
    liquidityVaultBump: liquidity.bump,
    liquidityVaultAuthorityBump: liquidity.authorityBump,
    insuranceVault: insurance.address,
    insuranceVaultBump: insurance.bump,
    insuranceVaultAuthorityBump: insurance.authorityBump,
    feeVault: fee.address,
    feeVaultBump: fee.bump,
    feeVaultAuthorityBump: fee.authorityBump,
    lastUpdate: START_TIME,
    config: configOf(bank, blank.config),
  });
  return programState(MARGINFI_PROGRAM, new Uint8Array(data));
}

type Config = ValueOf<typeof bankLayout>['config'];

function configOf(bank: MarketBank, blank: Config): Config {
  return {
    ...blank,
    assetWeightInit: parseI80F48(bank.weights.assetInit),
    assetWeightMaint: parseI80F48(bank.weights.assetMaint),
    liabilityWeightInit: parseI80F48(bank.weights.liabilityInit),
    liabilityWeightMaint: parseI80F48(bank.weights.liabilityMaint),
    depositLimit: bank.depositLimit,
    borrowLimit: bank.borrowLimit,
    interestRateConfig: {
      ...blank.interestRateConfig,
      ...legacyCurve(bank),
      insuranceFeeFixedApr: parseI80F48(bank.fees.insuranceFixed),
      insuranceIrFee: parseI80F48(bank.fees.insuranceRate),
      protocolFixedFeeApr: parseI80F48(bank.fees.groupFixed),
      protocolIrFee: parseI80F48(bank.fees.groupRate),
      protocolOriginationFee: parseI80F48(bank.fees.origination),
    },
    operationalState: 1,
    oracleSetup: 3,
    oracleKeys: [bank.oracle, ...blank.oracleKeys.slice(1)],
    riskTier: bank.isIsolated ? 1 : 0,
    totalAssetValueInitLimit: bank.initLimitUsd,
    oracleMaxAge: ORACLE_MAX_AGE,
  };
}
