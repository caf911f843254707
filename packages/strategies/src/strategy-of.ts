import { I80F48_ONE } from '@lending/domain';
import { type BadMonths, isPriceBet } from './bad-month.ts';
import { figuresOf } from './figures.ts';
import { kindOf, typeOf } from './kind.ts';
import { isKnown, netApyPct, type PairYields, yieldsOfWindow } from './net-apy.ts';
import type { Pair } from './pairs.ts';
import { partsOf } from './score/parts-of.ts';
import { isSound } from './score/penalty.ts';
import { scoreOf } from './score/score.ts';
import { sizeOf } from './size.ts';
import type { Strategy } from './strategy.ts';
import type { SwapCost } from './swap-cost.ts';
import { referenceCostOf } from './swap-cost-at.ts';

const BPS_OF_ONE = 10_000;

/** A pair whose rates are known, with all its figures. */
export function strategyOf(
  { supply, borrow, terms }: Pair,
  yields: PairYields,
  quotedSwap: SwapCost | null,
  nowMs: number,
  badMonths: BadMonths,
): Strategy {
  const { recommendedHundredths } = terms;
  const type = typeOf(supply, borrow);
  const swap = type === 'loop' ? quotedSwap : null;
  const quoted = swap === null ? null : referenceCostOf(swap);
  const originationFeeBps = (Number(borrow.originationFee) / Number(I80F48_ONE)) * BPS_OF_ONE;
  const swapBps = type === 'rate_arbitrage' ? 0 : (quoted?.costBps ?? null);
  const recommended = figuresOf(
    { yields, costs: { originationFeeBps, swapBps }, risk: terms.recommendedRisk },
    recommendedHundredths,
  );
  const unscored = {
    supply,
    borrow,
    type,
    kind: kindOf(supply, borrow),
    rates: ratesOf({ supply, borrow, terms }, yields),
    maxLeverageHundredths: terms.maxHundredths,
    theoreticalMaxLeverage: terms.theoreticalMax,
    recommendedLeverageHundredths: recommendedHundredths,
    recommended,
    emodeApplied: terms.emodeApplied,
    ...sizeOf({ supply, borrow, swap }, recommendedHundredths),
    originationFeeBps,
    swap,
    swapCostBps: quoted?.costBps ?? null,
    swapSizeUsd: quoted?.sizeUsd ?? null,
    swapQuotedAtMs: quoted?.quotedAtMs ?? null,
  };
  const { kind, sizeUsd } = unscored;
  const scoreParts = partsOf(unscored, badMonths(kind, supply, borrow), nowMs);
  const isFirst = !isPriceBet(kind) && isSound({ netApyPct: recommended.netApyPct, sizeUsd });
  return { ...unscored, score: scoreOf(scoreParts, isFirst), scoreParts };
}

function ratesOf({ supply, borrow, terms }: Pair, yields: PairYields): Strategy['rates'] {
  const { interestDeposit, native, emissionsDeposit } = supply.rates.now;
  const meanOf = (window: 'week' | 'month') => {
    const ofWindow = yieldsOfWindow(supply, borrow, window);
    return ofWindow === null ? null : netApyPct(ofWindow, terms.recommendedHundredths);
  };
  return {
    lendApyPct: interestDeposit ?? 0,
    nativeApyPct: isKnown(native) ? native : null,
    emissionsApyPct: isKnown(emissionsDeposit) ? emissionsDeposit : null,
    borrowApyPct: borrow.rates.now.totalBorrow ?? 0,
    borrowNativeApyPct: borrow.rates.now.native ?? 0,
    netApyBasePct: netApyPct(yields, 100n),
    netApyAtMaxLeveragePct: netApyPct(yields, terms.maxHundredths),
    netApy7dPct: meanOf('week'),
    netApy30dPct: meanOf('month'),
  };
}
