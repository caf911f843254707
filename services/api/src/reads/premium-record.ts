import { ceilI80F48, floorI80F48, pairRateOf, rateFromU32, toShownUsd, weighCollateral } from '@lending/domain';
import type { Position } from '#records/position-fields.ts';
import type { AccountValue, KnownBalance } from './account-value.ts';
import { type TokenAmount, toAmount } from './token-amounts.ts';

type PremiumFields = Pick<
  Position,
  | 'principal_ui'
  | 'principal_raw'
  | 'premium_outstanding_ui'
  | 'premium_outstanding_raw'
  | 'premium_accruing_ui'
  | 'premium_apr_pct'
  | 'premium_parts'
>;

/**
 * What a position owes besides its principal, and why. Nothing on deposits, and where the bank charges no premium.
 * @param amount the position with its premium, as it is shown.
 */
export function describePositionPremium(
  value: AccountValue,
  held: KnownBalance,
  amount: TokenAmount | null,
): PremiumFields {
  const { measured, premium, premiumParts, row } = held;
  const { decimals } = measured.record;
  const { isActive } = measured.risk.premium;
  const isDebt = Number(row.liability_shares) >= 1;
  const claimed = toAmount(floorI80F48(premiumParts.claimed), decimals);
  const principal = amount === null ? null : toAmount(amount.base - ceilI80F48(premium), decimals);
  return {
    principal_ui: principal?.ui ?? null,
    principal_raw: principal?.raw ?? null,
    premium_outstanding_ui: claimed.ui,
    premium_outstanding_raw: claimed.raw,
    premium_accruing_ui: toShownUsd(premiumParts.accruing) / 10 ** decimals,
    premium_apr_pct: isDebt ? (isActive ? shownPremiumPct(row.premium_rate) : 0) : null,
    premium_parts: isDebt && isActive ? partsOf(value, held) : [],
  };
}

function partsOf({ known }: AccountValue, { measured }: KnownBalance): PremiumFields['premium_parts'] {
  const pairs = measured.group?.premiumPairs ?? [];
  const { weights } = weighCollateral(known, 'initial', pairs);
  const total = toShownUsd(weights.reduce((sum, { usd }) => sum + usd, 0n));
  return weights.flatMap(({ index, tag, usd }) => {
    const record = known[index]?.measured.record;
    const rate = pairRateOf(pairs, tag, measured.risk.premium.tag);
    if (record === undefined || rate === 0 || total === 0) return [];
    const ratePct = (shownPremiumPct(rate) * toShownUsd(usd)) / total;
    return [{ bank: record.address, symbol: record.symbol, rate_pct: ratePct }];
  });
}

/** An encoded rate in percent a year; a fraction of one is shown as the program keeps it. */
export function shownPremiumPct(encoded: number): number {
  return toShownUsd(rateFromU32(encoded)) * 100;
}
