import { formatVenue, type I80F48, toShownUsd } from '@lending/domain';
import { SCORE_VERSION, type Strategy, type StrategyBank } from '@lending/strategies';
import type { StrategyRecord } from '#records/strategy-fields.ts';
import { shownConfigured } from './shown-numbers.ts';

/** A strategy as callers see it. Units: in the record's field names. */
export function toStrategyRecord(strategy: Strategy): StrategyRecord {
  const { rates, recommended, scoreParts } = strategy;
  const { badMonth, ...parts } = scoreParts;
  return {
    supply: sideOf(strategy.supply),
    borrow: sideOf(strategy.borrow),
    type: strategy.type,
    kind: strategy.kind,
    rates: {
      lend_apy_pct: rates.lendApyPct,
      native_apy_pct: rates.nativeApyPct,
      emissions_apy_pct: rates.emissionsApyPct,
      borrow_apy_pct: rates.borrowApyPct,
      borrow_native_apy_pct: rates.borrowNativeApyPct,
      net_apy_base_pct: rates.netApyBasePct,
      net_apy_at_max_leverage_pct: rates.netApyAtMaxLeveragePct,
      net_apy_at_recommended_leverage_pct: recommended.netApyPct,
      net_apy_7d_pct: rates.netApy7dPct,
      net_apy_30d_pct: rates.netApy30dPct,
    },
    max_leverage: shownHundredths(strategy.maxLeverageHundredths),
    theoretical_max_leverage: strategy.theoreticalMaxLeverage,
    recommended_leverage: shownHundredths(strategy.recommendedLeverageHundredths),
    available_strategy_size_usd: shownCents(strategy.sizeUsd),
    binding_constraint: strategy.bindingConstraint,
    emode_applied: strategy.emodeApplied,
    liquidation: {
      health_ratio: recommended.healthRatio,
      price_ratio_drop_pct: recommended.priceRatioDropPct,
    },
    cost: {
      entry_bps: recommended.entryBps,
      break_even_days: recommended.breakEvenDays,
      origination_fee_bps: shownConfigured(toShownUsd(strategy.borrow.originationFee), 'bps'),
      swap_bps: strategy.swapCostBps,
      swap_size_usd: strategy.swapSizeUsd,
      swap_quoted_at: strategy.swapQuotedAtMs === null ? null : new Date(strategy.swapQuotedAtMs).toISOString(),
    },
    score: strategy.score,
    score_parts: { ...parts, bad_month_pct: badMonth.pct, bad_month_assumed: badMonth.isAssumed },
    score_version: SCORE_VERSION,
  };
}

function sideOf({ address, symbol, mint, venue }: StrategyBank): StrategyRecord['supply'] {
  return { bank: address, symbol, mint, venue: formatVenue(venue) };
}

export function shownHundredths(hundredths: bigint): number {
  return Number(hundredths) / 100;
}

/** USD to the cent, rounded down, so that what is said to fit does. */
export function shownCents(usd: I80F48): number {
  return Number((usd * 100n) >> 48n) / 100;
}
