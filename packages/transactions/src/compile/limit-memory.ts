import type { Instruction } from '@solana/kit';
import type { SimulatedTransaction } from '#simulate/simulator.ts';
import { accrualsAhead } from './accruals-ahead.ts';
import { kindOf } from './instruction-kind.ts';
import type { TransactionDraft } from './transaction-draft.ts';
import { createUnitGuesses } from './unit-guesses.ts';
import { unitsByInstruction } from './units-by-instruction.ts';

/** The most a transaction may ask for: what one is simulated with that was never seen before. */
export const MAX_COMPUTE_UNITS = 1_400_000;

/**
 * What is asked for on top of that. The fifth is for state that moved on since: prices, lengths of lists. The rest is for derived addresses: a
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

/** How many units transactions of one shape take: same instructions of the same programs, as many accounts each. */
export interface LimitMemory {
  /** Units to ask for, with room for interest that accrues until it lands and for the margin. Null: none of this shape was simulated yet. */
  limitOf(draft: Shaped): number | null;
  /** The same, put together from what its instructions took in others; null where one of them never was in any. */
  guessOf(draft: Shaped): number | null;
  /** Whether a limit leaves what was learnt of the shape since room to grow, and bids for no more than it may need. */
  isGoodFor(draft: Shaped, limit: number): boolean;
  learn(draft: Shaped, simulated: Pick<SimulatedTransaction, 'unitsConsumed' | 'logs'>): void;
}

/** What is known of a shape. */
interface Known {
  /** The most that a simulation took. */
  readonly consumed: number;
  /** The most it may take, by the simulations that showed most of its accruals. */
  readonly units: number;
  /** How much of that no simulation has shown. */
  readonly ahead: number;
  /** The most it may take by any simulation. What one bank's accrual was seen to take says little of another's. */
  readonly floor: number;
}

/** Remembers so many shapes. */
export function createLimitMemory({ maxShapes = MAX_SHAPES } = {}): LimitMemory {
  const shapes = new Map<string, Known>();
  const guesses = createUnitGuesses(maxShapes);
  const keep = (shape: string, known: Known) => {
    shapes.delete(shape);
    shapes.set(shape, known);
  };
  return {
    limitOf({ instructions }) {
      const shape = shapeOf(instructions);
      const known = shapes.get(shape);
      if (known === undefined) return null;
      keep(shape, known);
      return limitFor(known);
    },
    guessOf({ instructions }) {
      const units = guesses.guess(instructions);
      return units === null ? null : withMargin(units + BUDGET_UNITS);
    },
    isGoodFor({ instructions }, limit) {
      const known = shapes.get(shapeOf(instructions)) ?? NOTHING_KNOWN;
      const least = Math.max(withMargin(known.consumed, MARGIN_PERCENT / 2), rounded(known.floor));
      return limit >= least && limit * 100 <= limitFor(known) * MOST_PERCENT;
    },
    learn({ instructions }, { unitsConsumed, logs }) {
      const shape = shapeOf(instructions);
      const { byInstruction, total } = accrualsAhead(instructions, logs);
      keep(shape, learnt(shapes.get(shape), unitsConsumed, total));
      const [oldest] = shapes.keys();
      if (shapes.size > maxShapes && oldest !== undefined) shapes.delete(oldest);
      const taken = unitsByInstruction(instructions, logs);
      guesses.learn(
        instructions,
        taken.map((units, index) => (units === null ? null : units + (byInstruction[index] ?? 0))),
      );
    },
  };
}

const NOTHING_KNOWN: Known = { consumed: MAX_COMPUTE_UNITS, units: MAX_COMPUTE_UNITS, ahead: 0, floor: 0 };

/** A simulation that showed more of the accruals says better what they take, and none says less than it took. */
function learnt(known: Known | undefined, consumed: number, ahead: number): Known {
  const units = consumed + ahead;
  if (known === undefined) return { consumed, units, ahead, floor: units };
  const most = { consumed: Math.max(consumed, known.consumed), floor: Math.max(units, known.floor) };
  if (ahead > known.ahead) return { ...most, units: Math.max(consumed, known.units), ahead: known.ahead };
  return { ...most, units: most.consumed + ahead, ahead };
}

/** What to ask for as far as earlier simulations tell, of this shape or of its instructions in others; null where they do not. */
export function expectLimit(memory: LimitMemory, draft: Shaped): number | null {
  return memory.limitOf(draft) ?? memory.guessOf(draft);
}

function limitFor({ units, floor }: Known): number {
  return Math.max(withMargin(units), rounded(floor));
}

function withMargin(units: number, percent = MARGIN_PERCENT): number {
  return rounded(Math.ceil((units * (100 + percent)) / 100) + MARGIN_UNITS);
}

function rounded(limit: number): number {
  return Math.min(Math.ceil(limit / ROUND_TO_UNITS) * ROUND_TO_UNITS, MAX_COMPUTE_UNITS);
}

function shapeOf(instructions: readonly Instruction[]): string {
  return instructions.map((each) => `${kindOf(each)} ${each.accounts?.length ?? 0}`).join('\n');
}
