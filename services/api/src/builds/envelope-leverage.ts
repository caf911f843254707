import { toUiAmount } from '@lending/domain';
import { shownRatio } from '#reads/health-record.ts';
import { shownNumber, shownPct, shownTokens } from '#reads/shown-numbers.ts';
import type { EnvelopePosition, EnvelopeSwap } from '#records/envelope-fields.ts';
import type { BankRates, BuildPosition, BuildSwap } from './build.ts';

/** Decimals of a part of 18 decimals when it is read as percent. */
const PERCENT_DECIMALS = 16;
const HUNDREDTHS_DECIMALS = 2;

/** The swap of a loop or a close as callers get it. */
export function describeSwap({ quote, ...swap }: BuildSwap): EnvelopeSwap {
  const { inDecimals, outDecimals } = swap;
  return {
    aggregator: quote.aggregator,
    in_mint: swap.inMint,
    in_ui: shown(quote.inBase, inDecimals),
    in_raw: String(quote.inBase),
    out_mint: swap.outMint,
    out_ui: shown(quote.outBase, outDecimals),
    out_raw: String(quote.outBase),
    min_out_ui: shown(quote.minOutBase, outDecimals),
    min_out_raw: String(quote.minOutBase),
    price_impact_pct: shownTokens(quote.priceImpactE18, PERCENT_DECIMALS),
    slippage_bps: quote.slippageBps,
    oracle_deviation_pct: shown(swap.deviationE18, PERCENT_DECIMALS),
    fee: quote.fee === null ? null : { mint: quote.fee.mint, raw: String(quote.fee.base) },
    tried: swap.tried.map(({ aggregator, outcome, reason, inBase, outBase }) => ({
      aggregator,
      outcome,
      reason,
      in_ui: shownTokens(inBase, inDecimals),
      out_ui: shownTokens(outBase, outDecimals),
    })),
  };
}

/** What it makes of the position, as callers get it. */
export function describePosition(position: BuildPosition): EnvelopePosition {
  const { depositDeltaBase, depositDecimals, borrowDeltaBase, borrowDecimals } = position;
  return {
    deposit_bank: position.depositBank,
    deposit_delta_ui: shown(depositDeltaBase, depositDecimals),
    deposit_delta_raw: String(depositDeltaBase),
    borrow_bank: position.borrowBank,
    ...(position.earlierBorrowBanks.length > 0 && {
      borrow_banks: [...position.earlierBorrowBanks, position.borrowBank],
    }),
    borrow_delta_ui: shown(borrowDeltaBase, borrowDecimals),
    borrow_delta_raw: String(borrowDeltaBase),
    leverage: shownRatio(position.leverage),
    max_leverage: shownTokens(position.maxLeverageHundredths, HUNDREDTHS_DECIMALS),
    liquidation_price_usd: shownNumber(position.liquidationPriceUsd),
    price_change_to_liquidation_pct: shownPct(shownRatio(position.priceChangeToLiquidation)),
    borrow_rates_after: describeRates(position.borrowRatesAfter),
  };
}

/** A bank's rates with the action in it. */
export function describeRates({ bank, depositApyPct, borrowApyPct }: BankRates) {
  return { bank, deposit_apy_pct: depositApyPct, borrow_apy_pct: borrowApyPct };
}

function shown(base: bigint, decimals: number): number {
  return Number(toUiAmount(base, decimals));
}
