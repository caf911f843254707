import {
  findLiquidationPoints,
  findRepairs,
  type Health,
  type HealthTotals,
  type I80F48,
  isKnownStablecoin,
  type LiquidationPoint,
  type Ratio,
  stressHealth,
  toShownRatio,
  toShownUsd,
  weakestOf,
} from '@lending/domain';
import type { HealthFigures, HealthRepair, HealthStress, OracleIssue } from '#records/health-fields.ts';
import type { AccountValue, KnownBalance } from './account-value.ts';
import type { MeasuredBank } from './bank-measure.ts';
import { shownNumber, shownTime, shownUsd } from './shown-numbers.ts';
import { tokensHeld } from './token-amounts.ts';

/**
 * An account's health as callers see it. Where a balance sits in a bank that nobody measured, the totals are unknown and so is the
 * status: an account that could not be valued is never called healthy.
 */
export function describeHealth(value: AccountValue, points: readonly (LiquidationPoint | null)[]): HealthFigures {
  const { health, unknown } = value;
  const isWhole = unknown.length === 0;
  const whole = <T>(figure: T | null): T | null => (isWhole ? figure : null);
  const { initial, maintenance } = health;
  return {
    status: isWhole ? health.status : 'unknown',
    health_factor: shownRatio(whole(health.factor)),
    health_ratio: shownRatio(whole(health.ratio)),
    health_usd: shownUsdOf(whole(health.healthUsd)),
    assets_usd_maint: shownUsdOf(whole(totalOf(maintenance, 'assets'))),
    liabilities_usd_maint: shownUsdOf(whole(totalOf(maintenance, 'liabilities'))),
    assets_usd_init: shownUsdOf(whole(totalOf(initial, 'assets'))),
    liabilities_usd_init: shownUsdOf(whole(totalOf(initial, 'liabilities'))),
    free_collateral_usd: shownUsdOf(whole(health.freeCollateral)),
    weakest: isWhole ? describeWeakest(value.known, points) : null,
    liquidation_tagged_at: shownTime(value.row.liquidation_tagged_at),
    oracle_issues: describeOracleIssues(health, value.known),
  };
}

/** Where the price of each known balance brings the account to the line; none where the account cannot be valued whole. */
export function liquidationPointsOf({ known, unknown }: AccountValue): readonly (LiquidationPoint | null)[] {
  return unknown.length > 0 ? known.map(() => null) : findLiquidationPoints(known);
}

/** A point as shown: USD of one token of the mint, which is not what a venue's receipt counts in, and the change from now in percent. */
export function describePoint(
  point: LiquidationPoint,
  bank: MeasuredBank,
): { readonly priceUsd: number | null; readonly changePct: number } {
  const change = toShownRatio(point.change);
  const now = bank.record.venue === 'P0' ? null : bank.record.price_usd;
  const priceUsd = bank.record.venue === 'P0' ? toShownUsd(point.price) : now === null ? null : now * (1 + change);
  return { priceUsd, changePct: change * 100 };
}

/** What a fall of the market makes of the account: every token but known dollars. */
export function describeStress({ known, unknown }: AccountValue): readonly HealthStress[] {
  const isShocked = (bank: { readonly address: string }) =>
    known.some(({ measured }) => measured.risk.address === bank.address && !isKnownStablecoin(measured.record.mint));
  return stressHealth(known, isShocked).map(({ shockPercent, appliesTo, status, ratio }) => ({
    shock_pct: shockPercent,
    applies_to: appliesTo.map((address) => {
      const held = known.find(({ measured }) => measured.risk.address === address);
      return held?.measured.record.symbol ?? address;
    }),
    health_ratio: unknown.length > 0 ? null : shownRatio(ratio),
    status: unknown.length > 0 ? ('unknown' as const) : status,
  }));
}

/** What brings the account to a health ratio, one thing alone each, cheapest first; null where the account cannot be valued. */
export function describeRepairs({ known, unknown }: AccountValue, target: Ratio): readonly HealthRepair[] | null {
  const repairs = unknown.length > 0 ? null : findRepairs(known, target);
  if (repairs === null) return null;
  return repairs
    .map(({ action, index, amountBase }): HealthRepair => {
      const { measured } = known[index] as KnownBalance;
      const tokens = tokensHeld(measured, amountBase, 'up');
      return {
        action,
        bank: measured.record.address,
        symbol: measured.record.symbol,
        amount_ui: tokens?.ui ?? null,
        amount_raw: tokens?.raw ?? null,
        amount_usd: shownUsd(tokens?.ui ?? null, measured.record.price_usd),
      };
    })
    .sort((a, b) => (a.amount_usd ?? Number.POSITIVE_INFINITY) - (b.amount_usd ?? Number.POSITIVE_INFINITY));
}

/** A ratio in a caller's decimal text, exact. */
export function ratioOf(text: string): Ratio {
  const [whole = '0', decimals = ''] = text.split('.');
  return { numerator: BigInt(whole + decimals), denominator: 10n ** BigInt(decimals.length) };
}

function isDollar(held: KnownBalance | undefined): boolean {
  return held !== undefined && isKnownStablecoin(held.measured.record.mint);
}

/** Of tokens whose price moves; a dollar, which hardly does, only where nothing else brings the account to the line. */
function describeWeakest(
  known: readonly KnownBalance[],
  points: readonly (LiquidationPoint | null)[],
): HealthFigures['weakest'] {
  const volatile = points.map((point, index) => (isDollar(known[index]) ? null : point));
  const weakest = weakestOf(volatile) ?? weakestOf(points);
  const held = weakest === null ? undefined : known[weakest.index];
  if (weakest === null || held === undefined) return null;
  const { priceUsd, changePct } = describePoint(weakest, held.measured);
  const { address, symbol } = held.measured.record;
  return { bank: address, symbol, liquidation_price_usd: priceUsd, price_change_pct: changePct };
}

function describeOracleIssues(health: Health, known: readonly KnownBalance[]): OracleIssue[] {
  return health.oracleIssues.map(({ index, bank, side, error }) => ({
    bank,
    symbol: known[index]?.measured.record.symbol ?? null,
    side: side === 'liability' ? ('borrow' as const) : ('lend' as const),
    reason: error,
    price_time: known[index]?.measured.record.oracle.price_time ?? null,
  }));
}

function totalOf(totals: HealthTotals | null, side: keyof HealthTotals): I80F48 | null {
  return totals === null ? null : totals[side];
}

export function shownRatio(ratio: Ratio | null): number | null {
  return ratio === null ? null : finite(toShownRatio(ratio));
}

export function shownUsdOf(usd: I80F48 | null): number | null {
  return usd === null ? null : toShownUsd(usd);
}

function finite(value: number): number | null {
  return shownNumber(String(value));
}
