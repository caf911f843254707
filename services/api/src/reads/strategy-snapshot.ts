import type { LeftOutReason, MonthGrowths, Ranker, Strategy, StrategyBank, SwapCost } from '@lending/strategies';
import type { Coverage } from '#records/reply-fields.ts';
import type { StrategyRecord } from '#records/strategy-fields.ts';
import { oldestReading, type Reading } from './as-of.ts';
import { takesDepositsAtAll } from './bank-actions.ts';
import { gatesOf } from './bank-gates.ts';
import type { MeasuredBank } from './bank-measure.ts';
import type { BankEntry, BankSnapshot } from './bank-snapshot.ts';
import type { MeasureSnapshot } from './measure-set.ts';
import { stakedMintsOf, toStrategyBank } from './strategy-bank.ts';
import { toStrategyRecord } from './strategy-record.ts';

/** One strategy of a snapshot, with what it was made of. */
export interface StrategyEntry {
  readonly strategy: Strategy;
  readonly record: StrategyRecord;
  /** What dates it: rates, books and prices of both banks. The swap's quote is dated in the record. */
  readonly readings: readonly Reading[];
  readonly supply: StrategySide;
  readonly borrow: StrategySide;
}

/** A bank on one side of strategies. */
export interface StrategySide {
  readonly bank: StrategyBank;
  readonly record: BankEntry['record'];
  readonly measured: MeasuredBank;
  /** The oldest of the bank's. */
  readonly reading: Reading;
  readonly isSampled: boolean;
}

/** All strategies as they stood when their inputs last changed. Never changed; a newer one replaces it. */
export interface StrategySnapshot {
  /** The best first. */
  readonly strategies: readonly StrategyEntry[];
  /** The banks that strategies were looked for among. */
  readonly sides: ReadonlyMap<string, StrategySide>;
  /** Banks of which strategies may be missing: unreadable, not measured, or a rate that nothing can be computed without is unknown. */
  readonly skipped: Coverage['banks_skipped'];
  readonly banks: BankSnapshot;
  /** Replies rendered from this snapshot, by what was asked. Goes away with it. */
  readonly rendered: Map<string, unknown>;
}

/** What strategies are made of. */
export interface StrategyInputs {
  readonly banks: BankSnapshot;
  readonly measured: MeasureSnapshot['measured'];
  readonly swapCosts: readonly SwapCost[];
  /** By bank. */
  readonly monthGrowths: ReadonlyMap<string, MonthGrowths>;
  /** Wall clock, ms since 1970: quotes are aged by it. */
  readonly nowMs: number;
}

/** Pure but for what the ranker remembers of configurations. A bank without a measure is in no strategy, and named. */
export function buildStrategies(
  { banks, measured, swapCosts, monthGrowths, nowMs }: StrategyInputs,
  ranker: Ranker,
): StrategySnapshot {
  const { chainTimeMs, trailing } = banks;
  const entries = [...banks.entries.values()];
  const terms = { chainTimeMs, trailing, stakedMints: stakedMintsOf(entries.map(({ row }) => row)), monthGrowths };
  const sides = new Map<string, StrategySide>();
  const skipped: { bank: string; reason: string }[] = [...banks.skipped];
  for (const entry of entries) {
    const { address } = entry.record;
    const measure = measured.get(address);
    if (measure === undefined) {
      if (pairs(entry, chainTimeMs)) skipped.push({ bank: address, reason: NOT_MEASURED });
      continue;
    }
    sides.set(address, {
      bank: toStrategyBank(entry, measure, terms),
      record: entry.record,
      measured: measure,
      reading: oldestReading([entry.reading, measure.reading]) ?? entry.reading,
      isSampled: entry.isSampled,
    });
  }
  const ranking = ranker.rank(
    [...sides.values()].map(({ bank }) => bank),
    swapCosts,
    nowMs,
  );
  return {
    strategies: ranking.strategies.map((strategy) => new RankedPair(strategy, sides)),
    sides,
    skipped: [
      ...skipped,
      ...ranking.leftOut.map(({ bank, reason }) => ({ bank: bank.address, reason: LEFT_OUT_WORDS[reason] })),
    ],
    banks,
    rendered: new Map(),
  };
}

/** Whether strategies with a bank can be missed at all. */
function pairs({ record, row }: BankEntry, chainTimeMs: number): boolean {
  return record.borrowable || takesDepositsAtAll(gatesOf(row, chainTimeMs));
}

const NOT_MEASURED = 'books and price not read yet: in no strategy';
const LEFT_OUT_WORDS: Readonly<Record<LeftOutReason, string>> = {
  deposit_rate_unknown: 'deposit rate unknown: supplied in no strategy',
  borrow_rate_unknown: 'borrow rate unknown: borrowed in no strategy',
  borrow_native_unknown: 'native yield unknown: borrowed in no strategy',
};

/** The record is made when somebody looks: of thousands of pairs, few are shown before rates change. */
class RankedPair implements StrategyEntry {
  readonly strategy: Strategy;
  readonly supply: StrategySide;
  readonly borrow: StrategySide;
  #record: StrategyRecord | undefined;

  constructor(strategy: Strategy, sides: ReadonlyMap<string, StrategySide>) {
    this.strategy = strategy;
    this.supply = sideOf(sides, strategy.supply);
    this.borrow = sideOf(sides, strategy.borrow);
  }

  get record(): StrategyRecord {
    this.#record ??= toStrategyRecord(this.strategy);
    return this.#record;
  }

  get readings(): readonly Reading[] {
    return [this.supply.reading, this.borrow.reading];
  }
}

function sideOf(sides: ReadonlyMap<string, StrategySide>, { address }: StrategyBank): StrategySide {
  const side = sides.get(address);
  if (side === undefined) throw new TypeError(`A strategy was made of the bank ${address}, which was not handed in`);
  return side;
}
