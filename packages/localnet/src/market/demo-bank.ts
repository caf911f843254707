import type { BANK_OPERATIONAL_STATES, BANK_ORACLE_SETUPS, BANK_RISK_TIERS } from '@lending/programs';
import type { Address } from '@solana/kit';
import type { DemoFeedName } from './feeds.ts';
import type { PREMIUM_TAG } from './premiums.ts';
import type { DemoTokenName } from './tokens.ts';

/**
 * One bank of the demo market as its table row states it. Decimal text is a plain number (weights, share values) or base
 * units with a fraction (shares, fees); limits are base units.
 */
export interface DemoBank {
  /** The operators' convention: `SYMBOL | Name`. */
  readonly ticker: string;
  /** The operators' convention: `name | asset group | symbol | venue | venue identifier`. */
  readonly description: string;
  readonly address: Address;
  readonly token: DemoTokenName;
  readonly feed: DemoFeedName;
  readonly oracleSetup: (typeof BANK_ORACLE_SETUPS)[number];
  readonly oracleMaxAgeSeconds: number;
  /** The venue's reserve, spot market or lending account behind an integration bank. */
  readonly venueAccount?: Address;
  /** The Kamino lending market of the reserve; the bank's obligation address depends on it. */
  readonly venueMarket?: Address;
  /** The single-validator pool whose tokens a staked bank takes. */
  readonly singlePool?: DemoSinglePool;
  /** Set where the bank's address is the PDA of group, mint and this number; older banks stand at keypair addresses. */
  readonly seed?: bigint;
  /** 0 default, 1 SOL, 2 staked, 3 Kamino, 4 Drift, 5 Solend, 6 JupLend. */
  readonly assetTag: 0 | 1 | 2 | 3 | 4 | 5 | 6;
  readonly state: (typeof BANK_OPERATIONAL_STATES)[number];
  readonly riskTier: (typeof BANK_RISK_TIERS)[number];
  readonly weights: DemoWeights;
  readonly depositLimit: bigint;
  readonly borrowLimit: bigint;
  /** Whole USD; 0 is off. */
  readonly valueLimitUsd: bigint;
  readonly curve: DemoCurve;
  readonly fees: DemoFees;
  readonly emodeTag: number;
  readonly emode: readonly DemoEmodeEntry[];
  readonly shares: DemoShares;
  readonly feesOutstanding: { readonly insurance: string; readonly group: string };
  /** Counters the program keeps; negative on banks older than the counters. */
  readonly positions: { readonly lending: number; readonly borrowing: number };
  /** Its tag in the group's table of premiums, and whether its debts bear one. From 0.1.12. Chosen here, as all below: not of mainnet. */
  readonly premium?: { readonly tag: keyof typeof PREMIUM_TAG; readonly isActive: boolean };
  /** From 0.1.10. */
  readonly breaker?: DemoBreaker;
  /** Whether its tokens count for more as collateral for a debt in the same asset. From 0.1.10. */
  readonly isSameAssetEligible?: boolean;
}

/** When a bank halts: from which deviations on, and for how long; the rest is the program's default. */
interface DemoBreaker {
  readonly tiersBps: readonly [number, number, number];
  readonly tierSeconds: readonly [number, number, number];
}

/** Accounts that the single pool program derives from a validator's vote account. */
export interface DemoSinglePool {
  readonly vote: Address;
  readonly stake: Address;
  /** Not written in the bank, whose vote account says where it is. */
  readonly onRamp: Address;
  /** Whether the bank counts what waits in the on-ramp; else it goes by the delegated stake alone. */
  readonly countsOnRamp: boolean;
}

interface DemoWeights {
  readonly assetInit: string;
  readonly assetMaint: string;
  readonly liabilityInit: string;
  readonly liabilityMaint: string;
}

/** A seven-point curve in the account's own units: shares of u32::MAX, for rates ten times that. */
export interface DemoCurve {
  readonly zeroUtilRate: number;
  readonly points: readonly { readonly util: number; readonly rate: number }[];
  readonly hundredUtilRate: number;
}

interface DemoFees {
  readonly insuranceIr: string;
  readonly groupFixedApr: string;
  readonly groupIr: string;
}

interface DemoEmodeEntry {
  readonly tag: number;
  readonly assetInit: string;
  readonly assetMaint: string;
}

interface DemoShares {
  readonly assetValue: string;
  readonly liabilityValue: string;
  readonly assets: string;
  readonly liabilities: string;
}

const U32_MAX = 0xffff_ffff;

/**
 * A curve with one corner, which is how the program turned the older three-number curves into seven-point ones.
 * Units: percent; rates a year. The account cannot hold more than 1000 %.
 */
export function cornerCurve(utilPercent: number, ratePercent: number, fullRatePercent: number): DemoCurve {
  const rate = (percent: number) => Math.round((percent / 1000) * U32_MAX);
  return {
    zeroUtilRate: 0,
    points: [{ util: Math.round((utilPercent / 100) * U32_MAX), rate: rate(ratePercent) }],
    hundredUtilRate: rate(fullRatePercent),
  };
}

/** What the program writes into banks nobody can borrow from (read from mainnet's Drift and JupLend banks). */
export const PLACEHOLDER_CURVE: DemoCurve = {
  zeroUtilRate: 0,
  points: [{ util: 12_345, rate: 123_456 }],
  hundredUtilRate: 1_234_567,
};

export function emodeEntry(tag: number, assetInit: string, assetMaint: string): DemoEmodeEntry {
  return { tag, assetInit, assetMaint };
}
