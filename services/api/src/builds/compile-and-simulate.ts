import {
  type CompiledTransaction,
  compileTransaction,
  type LimitMemory,
  type LookupTables,
  MAX_COMPUTE_UNITS,
  type PackedPlan,
  type SimulationOutcome,
  type Simulator,
  type SimulatorKind,
  type TransactionVersion,
} from '@lending/transactions';
import type { Address } from '@solana/kit';

export interface CompileInput {
  readonly packed: PackedPlan;
  readonly payer: Address;
  readonly version: TransactionVersion;
  readonly microLamportsPerUnit: bigint;
  readonly lookupTables: LookupTables;
  /** Accounts to report after the last transaction. */
  readonly watch: readonly Address[];
}

/** The transactions as they were simulated last: only a blockhash may still change. */
export interface SimulatedList {
  readonly transactions: readonly CompiledTransaction[];
  readonly outcome: SimulationOutcome & { readonly by: SimulatorKind };
  /** Simulations it took: one where every limit was known. */
  readonly waves: number;
}

/** A blockhash that none is: simulations replace it. */
const NO_BLOCKHASH = '1'.repeat(32);
const OUT_OF_UNITS = /ComputationalBudgetExceeded|exceeded CUs meter/;

/**
 * Compiles with the limits that earlier simulations taught and simulates the very bytes. A transaction of a shape nobody simulated yet
 * is run once with the highest limit, at the lowest price that is one, to learn how many units it takes; so is a list that ran out of them.
 */
export async function compileAndSimulate(
  input: CompileInput,
  { simulator, limits }: { readonly simulator: Simulator; readonly limits: LimitMemory },
  signal?: AbortSignal,
): Promise<SimulatedList> {
  const { drafts } = input.packed;
  const simulate = async (transactions: readonly CompiledTransaction[]) => {
    const outcome = await simulator.simulate(transactions, input.watch, signal === undefined ? {} : { signal });
    // One that failed says nothing of what it takes to the end.
    const ended = outcome.kind === 'passed' ? outcome.transactions : outcome.transactions.slice(0, outcome.index);
    ended.forEach(({ unitsConsumed }, index) => {
      const draft = drafts[index];
      if (draft !== undefined) limits.learn(draft, unitsConsumed);
    });
    return outcome;
  };
  const compileKnown = () => compileAll(input, (index) => limitAt(input, limits, index), input.microLamportsPerUnit);

  let waves = 0;
  if (drafts.every((draft) => limits.limitOf(draft) !== null)) {
    const transactions = compileKnown();
    const outcome = await simulate(transactions);
    waves += 1;
    if (!ranOutOfUnits(outcome)) return { transactions, outcome, waves };
  }
  const trial = compileAll(input, () => MAX_COMPUTE_UNITS, input.microLamportsPerUnit > 0n ? 1n : 0n);
  const trialOutcome = await simulate(trial);
  waves += 1;
  if (trialOutcome.kind === 'failed') return { transactions: trial, outcome: trialOutcome, waves };
  const transactions = compileKnown();
  return { transactions, outcome: await simulate(transactions), waves: waves + 1 };
}

function compileAll(
  { packed, payer, version, lookupTables }: CompileInput,
  limitOf: (index: number) => number,
  microLamportsPerUnit: bigint,
): readonly CompiledTransaction[] {
  return packed.drafts.map((draft, index) =>
    compileTransaction(draft, {
      payer,
      version,
      lookupTables,
      microLamportsPerUnit,
      computeUnitLimit: limitOf(index),
      blockhash: { value: NO_BLOCKHASH, lastValidBlockHeight: 0n },
    }),
  );
}

function limitAt({ packed }: CompileInput, limits: LimitMemory, index: number): number {
  const draft = packed.drafts[index];
  return (draft === undefined ? null : limits.limitOf(draft)) ?? MAX_COMPUTE_UNITS;
}

function ranOutOfUnits(outcome: SimulationOutcome): boolean {
  if (outcome.kind === 'passed') return false;
  return OUT_OF_UNITS.test(outcome.reason) || outcome.logs.some((line) => OUT_OF_UNITS.test(line));
}
