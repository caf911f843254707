import { fromUiAmount, type I80F48, toShownUsd } from '@lending/domain';
import { figuresAt, sizeAt } from '@lending/strategies';
import type { StrategyRecord } from '#records/strategy-fields.ts';
import { shownTokens } from './shown-numbers.ts';
import { usdOf } from './strategy-bank.ts';
import { shownHundredths } from './strategy-record.ts';
import type { StrategyEntry, StrategySide } from './strategy-snapshot.ts';

/** A leverage to look at, and own capital; null where it was not asked about. */
export interface StrategyTarget {
  /** Null is the recommended one. */
  readonly leverageHundredths: bigint | null;
  /** UI tokens of the supply as decimal text; decimals that the mint has no units for are cut. */
  readonly amountUi: string | null;
}

/** What a pair would do at a leverage that its maximum allows, and for so much own capital. */
export function describeTarget(
  { strategy, supply, borrow }: StrategyEntry,
  target: StrategyTarget,
): NonNullable<StrategyRecord['at_target']> {
  const leverage = target.leverageHundredths ?? strategy.recommendedLeverageHundredths;
  // Rounded down to the mint's own units, as a wallet has no less.
  const own = target.amountUi === null ? null : fromUiAmount(target.amountUi, supply.record.decimals, 'floor');
  const ownUsd = own === null ? null : worthOf(own, supply);
  const figures = figuresAt(strategy, leverage, ownUsd === null ? null : toShownUsd(ownUsd));
  const supplied = own === null ? null : (own * leverage) / 100n;
  return {
    leverage: shownHundredths(leverage),
    net_apy_pct: figures.netApyPct,
    health_ratio: figures.healthRatio,
    price_ratio_drop_pct: figures.priceRatioDropPct,
    entry_bps: figures.entryBps,
    break_even_days: figures.breakEvenDays,
    deposit_ui: shownTokens(supplied, supply.record.decimals),
    borrow_ui: supplied === null || own === null ? null : borrowedFor(supplied - own, supply, borrow),
    earned_usd_per_year: ownUsd === null ? null : (toShownUsd(ownUsd) * figures.netApyPct) / 100,
    fits: own === null ? null : ownUsd !== null && ownUsd <= sizeAt(strategy, leverage).sizeUsd,
  };
}

/** Null without a price. */
function worthOf(amountBase: bigint, { measured }: StrategySide): I80F48 | null {
  return isPriced(measured) ? usdOf(amountBase, measured) : null;
}

/** Tokens of the debt of the same worth, at oracle prices: what a swap would cost is not in it. */
function borrowedFor(boughtBase: bigint, supply: StrategySide, borrow: StrategySide): number | null {
  const usd = worthOf(boughtBase, supply);
  const one = 10n ** BigInt(borrow.record.decimals);
  const priceUsd = worthOf(one, borrow);
  if (usd === null || priceUsd === null || priceUsd <= 0n) return null;
  return shownTokens((usd * one) / priceUsd, borrow.record.decimals);
}

function isPriced({ price }: StrategySide['measured']): boolean {
  return price.kind === 'loaded' && typeof price.spot !== 'string';
}
