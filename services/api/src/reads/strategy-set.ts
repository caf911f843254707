import type { Logger } from '@lending/runtime';
import { createRanker, type MonthGrowths, type SwapCost } from '@lending/strategies';
import type { BankSet } from './bank-set.ts';
import { createHotSet, type HotSet } from './hot-set.ts';
import type { MeasureSet } from './measure-set.ts';
import { toMonthGrowths } from './month-growths.ts';
import type { ReadStore } from './read-store.ts';
import { buildStrategies, type StrategyInputs, type StrategySnapshot } from './strategy-snapshot.ts';
import { createSwapCostReader } from './swap-costs.ts';

export interface StrategySetOptions {
  readonly store: Pick<ReadStore, 'listSwapQuotes' | 'listDayPrices'>;
  readonly banks: Pick<BankSet, 'get'>;
  readonly measures: Pick<MeasureSet, 'get'>;
  readonly logger: Logger;
  /** What a builder lets a swap's own size cost; a fraction of one × 10^18. */
  readonly maxPriceImpactE18: bigint;
  readonly now?: () => number;
  /** Swap costs older than this are read again when they are next asked for, notified or not. Default 30 s: a quote is made for hours. */
  readonly maxAgeMs?: number;
}

/** A day closes once a day, and days of the past are seldom backfilled: an hour late is early enough for what is made of months. */
const DAYS_MAX_AGE_MS = 3_600_000;

/** Every strategy in memory. `markChanged` reads swap costs again; banks and measures have their own notice of changes, prices of days an age. */
export type StrategySet = Pick<HotSet<StrategySnapshot>, 'get' | 'markChanged' | 'close'>;

/**
 * Ranks when it is asked and an input is another than last time, so that nothing is computed twice for the same inputs, and nothing
 * while nobody asks. Loads nothing until then.
 */
export function createStrategySet(options: StrategySetOptions): StrategySet {
  const { store, banks, measures, logger, maxPriceImpactE18, now = Date.now, maxAgeMs = 30_000 } = options;
  const ranker = createRanker();
  const readSwapCosts = createSwapCostReader(maxPriceImpactE18, logger);
  const swapCosts = createHotSet<readonly SwapCost[]>({
    load: async () => readSwapCosts(await store.listSwapQuotes()),
    isEmpty: () => false,
    logger,
    failEvent: 'read.strategy.load',
    now,
    maxAgeMs,
  });
  const monthGrowths = createHotSet<ReadonlyMap<string, MonthGrowths>>({
    load: async () => toMonthGrowths(await store.listDayPrices(), logger),
    isEmpty: () => false,
    logger,
    failEvent: 'read.price.load',
    now,
    maxAgeMs: DAYS_MAX_AGE_MS,
  });
  let last: { readonly inputs: Omit<StrategyInputs, 'nowMs'>; readonly snapshot: StrategySnapshot } | undefined;

  return {
    async get() {
      const [bankSnapshot, { measured }, costs, growths] = await Promise.all([
        banks.get(),
        measures.get(),
        swapCosts.get(),
        monthGrowths.get(),
      ]);
      const inputs = { banks: bankSnapshot, measured, swapCosts: costs, monthGrowths: growths };
      if (last === undefined || !isSame(last.inputs, inputs)) {
        last = { inputs, snapshot: buildStrategies({ ...inputs, nowMs: now() }, ranker) };
      }
      return last.snapshot;
    },
    markChanged: () => swapCosts.markChanged(),
    async close() {
      await Promise.all([swapCosts.close(), monthGrowths.close()]);
    },
  };
}

function isSame(one: Omit<StrategyInputs, 'nowMs'>, other: Omit<StrategyInputs, 'nowMs'>): boolean {
  return (
    one.banks === other.banks &&
    one.measured === other.measured &&
    one.swapCosts === other.swapCosts &&
    one.monthGrowths === other.monthGrowths
  );
}
