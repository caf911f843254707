import { COMPUTE_BUDGET_PROGRAM } from '@lending/programs';
import type { Instruction } from '@solana/kit';
import { writeU32, writeU64 } from '#engine/bytes.ts';
import { createDice } from './dice.ts';

/** Compute units for the longest of what actors do, a loop or a liquidation of several balances. */
const UNIT_LIMIT = 600_000;
/** Micro-lamports a unit, at least and at most: of the order that quiet minutes of mainnet see. */
const PRICES = [1_000, 25_000] as const;

/**
 * What somebody bids for a transaction, as instructions that may stand anywhere in it. Same words, same bid.
 * @see agave compute-budget-interface `SetComputeUnitLimit` (2), `SetComputeUnitPrice` (3)
 */
export function bidInstructions(words: string): readonly Instruction[] {
  const [least, most] = PRICES;
  const limit = new Uint8Array(5);
  limit[0] = 2;
  writeU32(limit, 1, UNIT_LIMIT);
  const price = new Uint8Array(9);
  price[0] = 3;
  writeU64(price, 1, BigInt(least + createDice(words).roll(most - least)));
  return [limit, price].map((data) => ({ programAddress: COMPUTE_BUDGET_PROGRAM, data }));
}
