import type { BankRow } from '@lending/store';
import { z } from 'zod';
import type { Bank } from '#records/bank-fields.ts';
import { shownPremiumPct } from './premium-record.ts';
import { shownConfigured, shownTime } from './shown-numbers.ts';

/** Shapes of the JSON columns, as the projection writes them. */
export const emodeColumn = z.object({
  tag: z.number(),
  entries: z.array(z.object({ collateralTag: z.number(), assetWeightInit: z.string(), assetWeightMaint: z.string() })),
  sameAsset: z.object({ asset: z.string(), isDebtToo: z.boolean() }).nullable().default(null),
});
const premiumColumn = z.object({ tag: z.int(), isActive: z.boolean(), activatedAt: z.string() });
export const premiumPairsColumn = z.array(
  z.object({ collateralTag: z.int(), liabilityTag: z.int(), rate: z.int().nonnegative() }),
);
const rateCurveColumn = z.array(z.object({ utilization: z.string(), baseApr: z.string() }));

/**
 * Null when the bank has no tag and gives none a better weight. Weights are factors.
 * @throws ZodError when the column is not of this shape: the bank is then skipped by name.
 */
export function describeEmode(column: unknown): Bank['emode'] {
  const { tag, entries } = emodeColumn.parse(column);
  if (tag === 0 && entries.length === 0) return null;
  return {
    tag,
    entries: entries.map((entry) => ({
      collateral_tag: entry.collateralTag,
      asset_weight_init: shownConfigured(entry.assetWeightInit),
      asset_weight_maint: shownConfigured(entry.assetWeightMaint),
    })),
  };
}

/**
 * Corners of the base rate, from empty to fully lent out. Units: percent; the rate is an APR before fees, not compounded.
 * @throws ZodError as above.
 */
export function describeRateCurve(column: unknown): NonNullable<Bank['rate_curve']> {
  return {
    points: rateCurveColumn.parse(column).map(({ utilization, baseApr }) => ({
      utilization_pct: shownConfigured(utilization, 'pct', 'u32'),
      base_apr_pct: Number(baseApr) * 100,
    })),
  };
}

/**
 * Null until the bank and its group were measured. Units: percent a year, not compounded.
 * @throws ZodError as above.
 */
export function describeBankPremium(
  row: Pick<BankRow, 'premium' | 'premium_pairs'>,
): NonNullable<Bank['premium']> | null {
  if (row.premium === null || row.premium_pairs === null) return null;
  const { tag, isActive, activatedAt } = premiumColumn.parse(row.premium);
  const pairs = premiumPairsColumn.parse(row.premium_pairs).filter(({ liabilityTag }) => liabilityTag === tag);
  return {
    tag,
    active: isActive,
    since: shownTime(activatedAt),
    rates: pairs.map(({ collateralTag, rate }) => ({
      collateral_tag: collateralTag,
      rate_pct: shownPremiumPct(rate),
    })),
  };
}
