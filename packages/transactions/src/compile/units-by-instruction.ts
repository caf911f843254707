import { COMPUTE_BUDGET_PROGRAM, SECP256K1_PROGRAM } from '@lending/programs';
import type { Instruction } from '@solana/kit';

/** What one of the runtime's own programs takes, of which it logs nothing. */
const BUILTIN_UNITS = 150;
const STARTED = /^Program (\w+) invoke \[1\]$/;
const CONSUMED = /^Program (\w+) consumed (\d+) of \d+ compute units$/;
const CUT = 'Log truncated';

/**
 * Units that each of a transaction's instructions took, in their order, as its log tells. Null for those it does not tell of: nodes cut long
 * logs, and signature checks run before anything is logged.
 * @param instructions without the compute budget.
 */
export function unitsByInstruction(
  instructions: readonly Instruction[],
  logs: readonly string[],
): readonly (number | null)[] {
  const runs = runsIn(logs).filter(({ program }) => program !== COMPUTE_BUDGET_PROGRAM);
  let isTold = true;
  return instructions.map(({ programAddress }) => {
    if (programAddress === SECP256K1_PROGRAM) return null;
    const run = runs.shift();
    isTold &&= run?.program === programAddress;
    return isTold ? (run?.units ?? null) : null;
  });
}

interface Run {
  readonly program: string;
  units: number | null;
}

function runsIn(logs: readonly string[]): Run[] {
  const runs: Run[] = [];
  for (const line of logs) {
    const [, started] = STARTED.exec(line) ?? [];
    if (started !== undefined) runs.push({ program: started, units: BUILTIN_UNITS });
    const [, program, units] = CONSUMED.exec(line) ?? [];
    const run = runs.at(-1);
    // A program may call itself: its own word comes last.
    if (run !== undefined && run.program === program) run.units = Number(units);
  }
  const last = runs.at(-1);
  if (last !== undefined && logs.includes(CUT)) last.units = null;
  return runs;
}
