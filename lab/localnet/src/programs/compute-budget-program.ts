import type { Program } from '#engine/program.ts';
import { COMPUTE_BUDGET_PROGRAM } from '#engine/runtime-addresses.ts';

/** Does nothing when run: the engine reads its instructions before the transaction starts. */
export const computeBudgetProgram: Program = { programId: COMPUTE_BUDGET_PROGRAM, handle: () => {}, units: 150n };
