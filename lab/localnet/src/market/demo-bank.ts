import type { BANK_OPERATIONAL_STATES, BANK_ORACLE_SETUPS, BANK_RISK_TIERS } from '@lending/programs';
import { type Address, address } from '@solana/kit';
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

/** How the operators call what a bank takes: its name and the group of assets it belongs to; the symbol where it is not the token's. */
const NAMES: Readonly<Record<DemoTokenName, readonly [name: string, group: string, symbol?: string]>> = {
  USDC: ['USD Coin', 'stablecoins'],
  SOL: ['Wrapped SOL', 'blue-chip'],
  USDT: ['USDT', 'stablecoins'],
  USDS: ['USDS', 'stablecoins'],
  PYUSD: ['PayPal USD', 'stablecoins'],
  JitoSOL: ['Jito Staked SOL', 'sol-lst'],
  mSOL: ['Marinade staked SOL (mSOL)', 'sol-lst'],
  JupSOL: ['Jupiter Staked SOL', 'sol-lst'],
  INF: ['Infinity', 'sol-lst'],
  cbBTC: ['Coinbase Wrapped BTC', 'blue-chip'],
  WETH: ['Wrapped Ether (Wormhole)', 'blue-chip'],
  BONK: ['Bonk', 'memes', 'Bonk'],
  JUP: ['Jupiter', 'governance'],
  JLP: ['Jupiter Perps LP', 'ecosystem'],
  '2Z': ['DoubleZero', 'governance'],
  ORCA: ['Orca', 'W/E'],
  LEVY: ['Levied Dollar', 'practice'],
  FULL: ['Full Bank Dollar', 'practice'],
  LENT: ['Lent Bank Dollar', 'practice'],
  DRY: ['Dry Bank Dollar', 'practice'],
  MRGN2: ['MRGN 2', 'staked'],
  MRGN4: ['MRGN 4', 'staked'],
};

function namesOf(token: DemoTokenName, place: string) {
  const [name, group, symbol = token] = NAMES[token];
  return { ticker: `${symbol} | ${name}`, description: `${name} | ${group} | ${symbol} | ${place}` };
}

/** What a row says in short: of a few figures of one kind their order says which is which. */
interface BankFigures {
  readonly weights: readonly [assetInit: string, assetMaint: string, liabilityInit: string, liabilityMaint: string];
  readonly limits: readonly [deposit: bigint, borrow: bigint, valueUsd: bigint];
  readonly fees: readonly [insuranceIr: string, groupFixedApr: string, groupIr: string];
  readonly shares: readonly [assetValue: string, liabilityValue: string, assets: string, liabilities: string];
  readonly feesOutstanding: readonly [insurance: string, group: string];
  readonly positions: readonly [lending: number, borrowing: number];
}

function figuresOf({ weights, limits, fees, shares, feesOutstanding, positions }: BankFigures) {
  const [assetInit, assetMaint, liabilityInit, liabilityMaint] = weights;
  const [depositLimit, borrowLimit, valueLimitUsd] = limits;
  const [insuranceIr, groupFixedApr, groupIr] = fees;
  const [assetValue, liabilityValue, assets, liabilities] = shares;
  const [insurance, group] = feesOutstanding;
  const [lending, borrowing] = positions;
  return {
    weights: { assetInit, assetMaint, liabilityInit, liabilityMaint },
    ...{ depositLimit, borrowLimit, valueLimitUsd },
    fees: { insuranceIr, groupFixedApr, groupIr },
    shares: { assetValue, liabilityValue, assets, liabilities },
    feesOutstanding: { insurance, group },
    positions: { lending, borrowing },
  };
}

type Terms = Partial<
  Pick<
    DemoBank,
    | 'assetTag'
    | 'breaker'
    | 'curve'
    | 'emode'
    | 'emodeTag'
    | 'feed'
    | 'isSameAssetEligible'
    | 'oracleMaxAgeSeconds'
    | 'oracleSetup'
    | 'premium'
    | 'riskTier'
    | 'seed'
    | 'singlePool'
    | 'state'
  >
>;

/** What most banks are, unless their row says otherwise. */
const USUAL = { state: 'Operational', riskTier: 'Collateral', emodeTag: 0, emode: [] } as const;

/** A bank of P0's own. Without terms of its own it is priced by its token's Pyth feed, bends at 80 % and pays the group 5 % of its interest. */
export function p0Bank(
  token: DemoTokenName,
  bank: string,
  row: Terms & Omit<BankFigures, 'fees' | 'feesOutstanding'> & Partial<BankFigures>,
): DemoBank {
  const {
    weights,
    limits,
    fees = ['0', '0.01', '0.05'],
    shares,
    feesOutstanding = ['0', '0'],
    positions,
    ...terms
  } = row;
  return {
    ...namesOf(token, 'P0 | -'),
    address: address(bank),
    token,
    feed: token as DemoFeedName,
    oracleSetup: 'PythPushOracle',
    oracleMaxAgeSeconds: 300,
    assetTag: 0,
    ...USUAL,
    curve: cornerCurve(80, 10, 300),
    ...figuresOf({ weights, limits, fees, shares, feesOutstanding, positions }),
    ...terms,
  };
}

const VENUES = {
  kamino: { place: 'Kamino', assetTag: 3, setups: ['KaminoPythPush', 'KaminoSwitchboardPull'], groupFixedApr: '0.01' },
  juplend: { place: 'Jupiter', assetTag: 6, setups: ['JuplendPythPull', 'JuplendSwitchboardPull'], groupFixedApr: '0' },
  solend: { place: 'Solend', assetTag: 5, setups: ['SolendPythPull', 'SolendSwitchboardPull'], groupFixedApr: '0' },
  drift: { place: 'Drift', assetTag: 4, setups: ['DriftPythPull', 'DriftSwitchboardPull'], groupFixedApr: '0' },
} as const;

interface VenueBankRow extends Terms {
  /** The venue's reserve, spot market or lending account. */
  readonly account: string;
  /** Kamino's lending market. */
  readonly market?: { readonly name: string; readonly address: Address };
  readonly seed: bigint;
  readonly weights: readonly [assetInit: string, assetMaint: string];
  readonly limits: readonly [deposit: bigint, valueUsd: bigint];
  /** The venue's collateral tokens. */
  readonly shares?: string;
  readonly lending?: number;
}

/** A bank on another venue: SOL is priced by Switchboard there, dollars by Pyth, and nothing is lent to anybody. */
export function venueBank(
  venue: keyof typeof VENUES,
  token: 'PYUSD' | 'SOL' | 'USDC' | 'USDT',
  bank: string,
  row: VenueBankRow,
): DemoBank {
  const { place, assetTag, setups, groupFixedApr } = VENUES[venue];
  const { account, market, weights, limits, shares = '0', lending = 0, ...terms } = row;
  const isSol = token === 'SOL';
  return {
    ...namesOf(token, `${place} | ${market?.name ?? (venue === 'juplend' ? '-' : 'Main Market')}`),
    address: address(bank),
    token,
    feed: token,
    oracleSetup: setups[isSol ? 1 : 0],
    oracleMaxAgeSeconds: isSol ? 70 : 300,
    venueAccount: address(account),
    ...(market === undefined ? {} : { venueMarket: market.address }),
    assetTag,
    ...USUAL,
    curve: PLACEHOLDER_CURVE,
    ...figuresOf({
      weights: [...weights, '1.5', '1.25'],
      limits: [limits[0], 0n, limits[1]],
      fees: ['0.1', groupFixedApr, '0'],
      shares: ['1', '1', shares, '0'],
      feesOutstanding: ['0', '0'],
      positions: [lending, 0],
    }),
    ...terms,
  };
}
