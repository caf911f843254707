import type { I80F48 } from '../i80f48.ts';
import { largerOf } from '../integers.ts';
import type { ProgramErrorName } from '../program-error-name.ts';
import { type BalanceSide, sideOf } from './balance-side.ts';
import type { BalanceRefusal, BalanceValue } from './balance-value.ts';
import { bandErrorOf } from './band-of.ts';
import {
  type HealthStatus,
  type HealthTotals,
  healthFactorOf,
  healthRatioOf,
  healthStatusOf,
  WORST_HEALTH_FACTOR,
} from './health-status.ts';
import { amountOf, type NetWorth, netWorthOf, worthOf } from './net-worth.ts';
import type { Ratio } from './ratio.ts';
import { computeRequirement, type RequirementOutcome, valueEach } from './requirement.ts';
import type { RiskBalance } from './risk-balance.ts';

const NO_TOTALS: HealthTotals = { assets: 0n, liabilities: 0n };

/** A balance whose oracle is not fit for use now. */
export interface OracleIssue {
  readonly index: number;
  readonly bank: string;
  readonly side: BalanceSide;
  readonly error: ProgramErrorName;
}

/** One balance in the figures people ask for. USD, base units. */
export interface PositionHealth {
  readonly bank: string;
  readonly side: BalanceSide | null;
  readonly amount: I80F48 | null;
  /** Without weight and bias; null without a price. */
  readonly worth: I80F48 | null;
  /** What maintenance counts; null where the program would fail on this balance. */
  readonly weighted: { readonly weight: I80F48; readonly value: I80F48 } | null;
}

/** How an account stands. Totals are null where the program would fail to value the account at that requirement. */
export interface Health {
  /** By the health ratio; `unknown` where maintenance has no totals: such an account is never called healthy. */
  readonly status: HealthStatus;
  readonly initial: HealthTotals | null;
  readonly maintenance: HealthTotals | null;
  readonly equity: HealthTotals | null;
  /** 1 − liabilities ÷ assets at maintenance. Known without debt even if no price is. */
  readonly factor: Ratio | null;
  /** Assets ÷ liabilities at maintenance; null too without debt. */
  readonly ratio: Ratio | null;
  /** Assets − liabilities at maintenance, USD. */
  readonly healthUsd: I80F48 | null;
  /** What may still be borrowed against, initial, USD; zero where assets do not cover liabilities. */
  readonly freeCollateral: I80F48 | null;
  readonly worth: NetWorth | null;
  readonly positions: readonly PositionHealth[];
  readonly oracleIssues: readonly OracleIssue[];
}

/**
 * Every figure of an account's health, exact: `toShownRatio` and `toShownUsd` make numbers of them.
 * `balances` are the active ones, in the account's order.
 */
export function computeHealth(balances: readonly RiskBalance[]): Health {
  const initial = totalsOf(computeRequirement(balances, 'initial'));
  const maintenanceOutcome = computeRequirement(balances, 'maintenance');
  const maintenance = totalsOf(maintenanceOutcome);
  const equity = totalsOf(computeRequirement(balances, 'equity'));
  const values = maintenanceOutcome.kind === 'valued' ? maintenanceOutcome.values : valueEach(balances, 'maintenance');
  const positions = balances.map((balance, index) => positionHealth(balance, values[index]));
  const hasDebt = balances.some((balance) => sideOf(balance) === 'liability');
  return {
    status: maintenance === null ? 'unknown' : healthStatusOf(maintenance),
    initial,
    maintenance,
    equity,
    factor: maintenance === null ? (hasDebt ? null : healthFactorOf(NO_TOTALS)) : healthFactorOf(maintenance),
    ratio: maintenance === null ? null : healthRatioOf(maintenance),
    healthUsd: maintenance === null ? null : maintenance.assets - maintenance.liabilities,
    freeCollateral: initial === null ? null : largerOf(initial.assets - initial.liabilities, 0n),
    worth: netWorthOf(
      balances,
      positions.map(({ worth }) => worth),
    ),
    positions,
    oracleIssues: findOracleIssues(balances),
  };
}

/**
 * The health factor for an answer that must have one although an oracle failed: collateral that cannot be valued counts nothing, as at
 * the initial requirement, and a debt that cannot be valued makes it the worst there is. Elsewhere the same as `Health.factor`.
 */
export function cautiousHealthFactor(balances: readonly RiskBalance[]): Ratio {
  let assets: I80F48 = 0n;
  let liabilities: I80F48 = 0n;
  for (const [index, value] of valueEach(balances, 'maintenance').entries()) {
    const balance = balances[index];
    const isDebt = balance !== undefined && sideOf(balance) === 'liability';
    if ('refusal' in value) {
      if (isDebt) return WORST_HEALTH_FACTOR;
    } else if (isDebt) liabilities += value.value;
    else assets += value.value;
  }
  return healthFactorOf({ assets, liabilities });
}

/** Balances whose oracle failed or is too uncertain, whether or not the program needs it now. */
export function findOracleIssues(balances: readonly RiskBalance[]): readonly OracleIssue[] {
  return balances.flatMap((balance, index) => {
    const side = sideOf(balance);
    const error = oracleErrorOf(balance);
    return side === null || error === null ? [] : [{ index, bank: balance.bank.address, side, error }];
  });
}

function oracleErrorOf({ price }: RiskBalance): ProgramErrorName | null {
  return bandErrorOf(price, 'spot') ?? bandErrorOf(price, 'ema');
}

function totalsOf(outcome: RequirementOutcome): HealthTotals | null {
  return outcome.kind === 'valued' ? { assets: outcome.assets, liabilities: outcome.liabilities } : null;
}

function positionHealth(balance: RiskBalance, value: BalanceValue | BalanceRefusal | undefined): PositionHealth {
  const amount = amountOf(balance);
  return {
    bank: balance.bank.address,
    side: sideOf(balance),
    amount,
    worth: worthOf(balance, amount),
    weighted: value === undefined || 'refusal' in value ? null : { weight: value.weight, value: value.value },
  };
}
