import type { Instruction } from '@solana/kit';
import type { SimulatedTransaction } from '#simulate/simulator.ts';
import { kindOf } from './instruction-kind.ts';
import type { TransactionDraft } from './transaction-draft.ts';
import { createUnitGuesses } from './unit-guesses.ts';
import { unitsByInstruction } from './units-by-instruction.ts';

/** The most a transaction may ask for: what one is simulated with that was never seen before. */
export const MAX_COMPUTE_UNITS = 1_400_000;

/**
 * What is asked for on top of the most that was seen. The fifth is for state that moved on since. The rest is for derived addresses: a
 * program that looks for one takes 1,500 units for every try, and with another wallet another number of tries; ten more than seen is
 * one wallet in a thousand.
 */
const MARGIN_PERCENT = 20;
const MARGIN_UNITS = 15_000;
/** A guessed limit of so much of what is learnt afterwards is kept: another simulation takes longer than the difference costs. */
const MOST_PERCENT = 150;
/** The two instructions of version 0 that say limit and price. */
const BUDGET_UNITS = 300;
/** Limits that differ by less are one: the simulated bytes stay the same from one build to the next. */
const ROUND_TO_UNITS = 1_000;
/** Banks, numbers of balances and kinds of actions multiply to some hundreds. The shape that was not asked for longest is forgotten. */
const MAX_SHAPES = 2_000;

type Shaped = Pick<TransactionDraft, 'instructions'>;

/** How many units transactions of one shape took when they were simulated: same instructions of the same programs, as many accounts each. */
export interface LimitMemory {
  /** Units to ask for, the margin included. Null: none of this shape was simulated yet. */
  limitOf(draft: Shaped): number | null;
  /** The same, put together from what its instructions took in others; null where one of them never was in any. */
  guessOf(draft: Shaped): number | null;
  /** Whether a limit leaves what was learnt of the shape since room to grow, and bids for no more than it may need. */
  isGoodFor(draft: Shaped, limit: number): boolean;
  learn(draft: Shaped, simulated: Pick<SimulatedTransaction, 'unitsConsumed' | 'logs'>): void;
}

/** Remembers so many shapes; the limits it gives have the margin in them. */
export function createLimitMemory({ maxShapes = MAX_SHAPES } = {}): LimitMemory {
  const mostUnits = new Map<string, number>();
  const guesses = createUnitGuesses(maxShapes);
  return {
    limitOf({ instructions }) {
      const shape = shapeOf(instructions);
      const units = mostUnits.get(shape);
      if (units === undefined) return null;
      mostUnits.delete(shape);
      mostUnits.set(shape, units);
      return withMargin(units);
    },
    guessOf({ instructions }) {
      const units = guesses.guess(instructions);
      return units === null ? null : withMargin(units + BUDGET_UNITS);
    },
    isGoodFor({ instructions }, limit) {
      const units = mostUnits.get(shapeOf(instructions)) ?? MAX_COMPUTE_UNITS;
      return limit >= withMargin(units, MARGIN_PERCENT / 2) && limit * 100 <= withMargin(units) * MOST_PERCENT;
    },
    learn({ instructions }, { unitsConsumed, logs }) {
      const shape = shapeOf(instructions);
      const units = Math.max(unitsConsumed, mostUnits.get(shape) ?? 0);
      mostUnits.delete(shape);
      mostUnits.set(shape, units);
      const [oldest] = mostUnits.keys();
      if (mostUnits.size > maxShapes && oldest !== undefined) mostUnits.delete(oldest);
      guesses.learn(instructions, unitsByInstruction(instructions, logs));
    },
  };
}

/** What to ask for as far as earlier simulations tell, of this shape or of its instructions in others; null where they do not. */
export function expectLimit(memory: LimitMemory, draft: Shaped): number | null {
  return memory.limitOf(draft) ?? memory.guessOf(draft);
}

function withMargin(units: number, percent = MARGIN_PERCENT): number {
  const limit = Math.ceil((units * (100 + percent)) / 100) + MARGIN_UNITS;
  return Math.min(Math.ceil(limit / ROUND_TO_UNITS) * ROUND_TO_UNITS, MAX_COMPUTE_UNITS);
}

function shapeOf(instructions: readonly Instruction[]): string {
  return instructions.map((each) => `${kindOf(each)} ${each.accounts?.length ?? 0}`).join('\n');
}
