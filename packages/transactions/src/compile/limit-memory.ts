import { ASSOCIATED_TOKEN_PROGRAM, SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@lending/programs';
import { type Address, getBase16Decoder, type Instruction } from '@solana/kit';
import type { TransactionDraft } from './transaction-draft.ts';

/** The most a transaction may ask for: what one is simulated with that was never seen before. */
export const MAX_COMPUTE_UNITS = 1_400_000;

/**
 * What is asked for on top of the most that was seen. The fifth is for state that moved on since. The rest is for derived addresses: a
 * program that looks for one takes 1,500 units for every try, and with another wallet another number of tries; ten more than seen is
 * one wallet in a thousand.
 */
const MARGIN_PERCENT = 20;
const MARGIN_UNITS = 15_000;
/** Limits that differ by less are one: the simulated bytes stay the same from one build to the next. */
const ROUND_TO_UNITS = 1_000;
/** Banks, numbers of balances and kinds of actions multiply to some hundreds. The shape that was not asked for longest is forgotten. */
const MAX_SHAPES = 2_000;

/** How many units transactions of one shape took when they were simulated: same instructions of the same programs, as many accounts each. */
export interface LimitMemory {
  /** Units to ask for, the margin included. Null: none of this shape was simulated yet. */
  limitOf(draft: Pick<TransactionDraft, 'instructions'>): number | null;
  learn(draft: Pick<TransactionDraft, 'instructions'>, unitsConsumed: number): void;
}

/** Remembers so many shapes; the limits it gives have the margin in them. */
export function createLimitMemory({ maxShapes = MAX_SHAPES } = {}): LimitMemory {
  const mostUnits = new Map<string, number>();
  return {
    limitOf({ instructions }) {
      const shape = shapeOf(instructions);
      const units = mostUnits.get(shape);
      if (units === undefined) return null;
      mostUnits.delete(shape);
      mostUnits.set(shape, units);
      return withMargin(units);
    },
    learn({ instructions }, unitsConsumed) {
      const shape = shapeOf(instructions);
      const units = Math.max(unitsConsumed, mostUnits.get(shape) ?? 0);
      mostUnits.delete(shape);
      mostUnits.set(shape, units);
      const [oldest] = mostUnits.keys();
      if (mostUnits.size > maxShapes && oldest !== undefined) mostUnits.delete(oldest);
    },
  };
}

function withMargin(units: number): number {
  const limit = Math.ceil((units * (100 + MARGIN_PERCENT)) / 100) + MARGIN_UNITS;
  return Math.min(Math.ceil(limit / ROUND_TO_UNITS) * ROUND_TO_UNITS, MAX_COMPUTE_UNITS);
}

/** First bytes of an instruction's data that say which one it is, where it is not Anchor's eight: amounts follow right after. */
const TAG_BYTES: Readonly<Record<Address, number>> = {
  [SYSTEM_PROGRAM]: 4,
  [TOKEN_PROGRAM]: 1,
  [TOKEN_2022_PROGRAM]: 1,
  [ASSOCIATED_TOKEN_PROGRAM]: 1,
};
const ANCHOR_TAG_BYTES = 8;
const hex = getBase16Decoder();

function shapeOf(instructions: readonly Instruction[]): string {
  return instructions
    .map(({ programAddress, accounts = [], data }) => {
      const tag = data?.slice(0, TAG_BYTES[programAddress] ?? ANCHOR_TAG_BYTES) ?? new Uint8Array();
      return `${programAddress} ${hex.decode(tag)} ${accounts.length}`;
    })
    .join('\n');
}
