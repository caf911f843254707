import { parseI80F48, rateFromU32, utilizationFromU32 } from '@lending/domain';
import { findBankVault, findBankVaultAuthority } from '@lending/programs';
import type { Address } from '@solana/kit';
import { labelled } from './addresses.ts';

/** The banks of the test market; each is there for something the others have not. */
export type BankName = 'usdc' | 'sol' | 'bonk' | 'jto' | 'wide' | 'isolated' | 'tight';

/** A curve with one inner corner, in the units banks store: u32::MAX is 100 % of utilisation, 1000 % of rate. */
interface Corners {
  readonly optimalUtil: number;
  readonly plateauRate: number;
  readonly maxRate: number;
}

export interface BankTerms {
  readonly name: BankName;
  readonly decimals: number;
  readonly weights: {
    readonly assetInit: string;
    readonly assetMaint: string;
    readonly liabilityInit: string;
    readonly liabilityMaint: string;
  };
  readonly isIsolated: boolean;
  readonly depositLimit: bigint;
  readonly borrowLimit: bigint;
  /** USD of collateral above which the initial weight is cut; 0 is off. */
  readonly initLimitUsd: bigint;
  readonly corners: Corners;
  readonly fees: {
    readonly insuranceFixed: string;
    readonly insuranceRate: string;
    readonly groupFixed: string;
    readonly groupRate: string;
    readonly origination: string;
  };
  /** Price × 10^8 in USD for one whole token. */
  readonly price: bigint;
}

const util = (percent: number) => Math.round((percent / 100) * 0xffff_ffff);
const rate = (percent: number) => Math.round((percent / 1000) * 0xffff_ffff);
const NO_FEES = { insuranceFixed: '0', insuranceRate: '0', groupFixed: '0', groupRate: '0', origination: '0' };
const NO_LIMIT = 1_000_000_000_000_000_000n;

export const BANKS: readonly BankTerms[] = [
  {
    name: 'usdc',
    decimals: 6,
    weights: { assetInit: '0.9', assetMaint: '0.95', liabilityInit: '1.1', liabilityMaint: '1.05' },
    isIsolated: false,
    depositLimit: NO_LIMIT,
    borrowLimit: NO_LIMIT,
    initLimitUsd: 0n,
    corners: { optimalUtil: util(80), plateauRate: rate(10), maxRate: rate(300) },
    fees: { insuranceFixed: '0.001', insuranceRate: '0.05', groupFixed: '0.01', groupRate: '0.15', origination: '0' },
    price: 99_990_000n,
  },
  {
    name: 'sol',
    decimals: 9,
    weights: { assetInit: '0.8', assetMaint: '0.9', liabilityInit: '1.3', liabilityMaint: '1.2' },
    isIsolated: false,
    depositLimit: NO_LIMIT,
    borrowLimit: NO_LIMIT,
    initLimitUsd: 0n,
    corners: { optimalUtil: util(65), plateauRate: rate(7.3), maxRate: rate(150) },
    fees: { ...NO_FEES, groupRate: '0.1' },
    price: 15_342_871_123n,
  },
  {
    name: 'bonk',
    decimals: 5,
    weights: { assetInit: '0.5', assetMaint: '0.65', liabilityInit: '1.5', liabilityMaint: '1.35' },
    isIsolated: false,
    depositLimit: NO_LIMIT,
    borrowLimit: NO_LIMIT,
    initLimitUsd: 0n,
    corners: { optimalUtil: util(45), plateauRate: rate(22), maxRate: rate(999) },
    fees: { insuranceFixed: '0.02', insuranceRate: '0', groupFixed: '0', groupRate: '0.07', origination: '0.0013' },
    price: 2_157n,
  },
  {
    name: 'jto',
    decimals: 9,
    weights: { assetInit: '0.6', assetMaint: '0.7', liabilityInit: '1.6', liabilityMaint: '1.4' },
    isIsolated: false,
    depositLimit: NO_LIMIT,
    borrowLimit: NO_LIMIT,
    initLimitUsd: 20_000n,
    corners: { optimalUtil: util(50), plateauRate: rate(12), maxRate: rate(60) },
    fees: NO_FEES,
    price: 231_234_567n,
  },
  {
    name: 'wide',
    decimals: 8,
    weights: { assetInit: '0.7', assetMaint: '0.75', liabilityInit: '1.25', liabilityMaint: '1.2' },
    isIsolated: false,
    depositLimit: NO_LIMIT,
    borrowLimit: NO_LIMIT,
    initLimitUsd: 0n,
    corners: { optimalUtil: util(70), plateauRate: rate(5), maxRate: rate(80) },
    fees: { ...NO_FEES, insuranceRate: '0.02', origination: '0.0005' },
    price: 9_876_543_210_000n,
  },
  {
    name: 'isolated',
    decimals: 6,
    weights: { assetInit: '0', assetMaint: '0', liabilityInit: '2', liabilityMaint: '1.5' },
    isIsolated: true,
    depositLimit: NO_LIMIT,
    borrowLimit: NO_LIMIT,
    initLimitUsd: 0n,
    corners: { optimalUtil: util(60), plateauRate: rate(30), maxRate: rate(400) },
    fees: NO_FEES,
    price: 4_321_000_000n,
  },
  {
    name: 'tight',
    decimals: 6,
    weights: { assetInit: '0.85', assetMaint: '0.9', liabilityInit: '1.15', liabilityMaint: '1.1' },
    isIsolated: false,
    depositLimit: 5_000_000_000n,
    borrowLimit: 1_000_000_000n,
    initLimitUsd: 0n,
    corners: { optimalUtil: util(80), plateauRate: rate(10), maxRate: rate(200) },
    fees: { ...NO_FEES, groupFixed: '0.005' },
    price: 100_000_000n,
  },
];

/** Seconds after which a price is stale. */
export const ORACLE_MAX_AGE = 60;
/** The program's own cut of interest, charged in every bank. */
export const PROGRAM_FEE = { fixed: parseI80F48('0.0005'), rate: parseI80F48('0.025') };
export const START_TIME = 1_790_000_000n;

/** The curve as the old program stores it: exactly the numbers that today's program makes of the corners. */
export function legacyCurve({ corners }: BankTerms) {
  return {
    optimalUtilizationRate: utilizationFromU32(corners.optimalUtil),
    plateauInterestRate: rateFromU32(corners.plateauRate),
    maxInterestRate: rateFromU32(corners.maxRate),
  };
}

export interface MarketBank extends BankTerms {
  readonly address: Address;
  readonly mint: Address;
  readonly oracle: Address;
  readonly vaults: Readonly<Record<'liquidity' | 'insurance' | 'fee', VaultAddresses>>;
}

interface VaultAddresses {
  readonly address: Address;
  readonly bump: number;
  readonly authority: Address;
  readonly authorityBump: number;
}

async function addressesOf(terms: BankTerms): Promise<MarketBank> {
  const bank = labelled(`bank ${terms.name}`);
  const vault = async (kind: 'liquidity' | 'insurance' | 'fee') => {
    const [[address, bump], [authority, authorityBump]] = await Promise.all([
      findBankVault(kind, bank),
      findBankVaultAuthority(kind, bank),
    ]);
    return { address, bump, authority, authorityBump };
  };
  const [liquidity, insurance, fee] = await Promise.all([vault('liquidity'), vault('insurance'), vault('fee')]);
  return {
    ...terms,
    address: bank,
    mint: labelled(`mint ${terms.name}`),
    oracle: labelled(`oracle ${terms.name}`),
    vaults: { liquidity, insurance, fee },
  };
}

/** The banks with their addresses, by name. */
export const MARKET: ReadonlyMap<BankName, MarketBank> = new Map(
  (await Promise.all(BANKS.map(addressesOf))).map((bank) => [bank.name, bank]),
);

export function bankNamed(name: BankName): MarketBank {
  const bank = MARKET.get(name);
  if (bank === undefined) throw new TypeError(`There is no bank ${name}`);
  return bank;
}

export function bankAt(address: Address): MarketBank {
  for (const bank of MARKET.values()) if (bank.address === address) return bank;
  throw new TypeError(`There is no bank at ${address}`);
}
