import {
  type CompiledTransaction,
  compileTransaction,
  expectLimit,
  type LimitMemory,
  type LookupTables,
  MAX_COMPUTE_UNITS,
  NO_BLOCKHASH,
  type PackedPlan,
  type SimulationOutcome,
  type Simulator,
  type SimulatorKind,
  type TransactionDraft,
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

const OUT_OF_UNITS = /ComputationalBudgetExceeded|exceeded CUs meter/;
/** A limit that is learned, exceeded because the chain moved on, and learned again; more often is no accident. The last is never a trial. */
const MOST_WAVES = 5;

/**
 * Compiles with the limits that earlier simulations taught and simulates the very bytes. The limit of a shape that nobody simulated yet is
 * put together from what its instructions took in others. Where a limit shows to be too tight or too wide, what was learnt by it is simulated.
 * A transaction with an instruction that was never run is run once with the highest limit, at the lowest price that is one, to learn how many
 * units it takes; so is a list that ran out of them, whichever limit it had.
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
    ended.forEach((each, index) => {
      const draft = drafts[index];
      if (draft !== undefined) limits.learn(draft, each);
    });
    return outcome;
  };
  const trial = { limits: drafts.map(() => MAX_COMPUTE_UNITS), price: input.microLamportsPerUnit > 0n ? 1n : 0n };
  const bid = (known: readonly number[] | null) =>
    known === null ? trial : { limits: known, price: input.microLamportsPerUnit };

  let tried = bid(expectLimits(drafts, limits));
  for (let waves = 1; ; waves += 1) {
    const transactions = compileAll(input, tried.limits, tried.price);
    const outcome = await simulate(transactions);
    const list = { transactions, outcome, waves };
    if (outcome.kind === 'failed') {
      // A trial alone is no answer: what it teaches takes another simulation.
      const hasRoomToTry = waves + 2 <= MOST_WAVES;
      if (tried === trial || !hasRoomToTry || !ranOutOfUnits(outcome)) return list;
      tried = trial;
      continue;
    }
    const isGood = drafts.every((draft, index) => limits.isGoodFor(draft, tried.limits[index] ?? 0));
    if (tried !== trial && (isGood || waves >= MOST_WAVES)) return list;
    tried = bid(drafts.map((draft) => limits.limitOf(draft) ?? MAX_COMPUTE_UNITS));
  }
}

/** A limit for each transaction, as far as earlier simulations tell; null where there is one of which nothing is known. */
function expectLimits(drafts: readonly TransactionDraft[], memory: LimitMemory): readonly number[] | null {
  const limits = drafts.flatMap((draft) => expectLimit(memory, draft) ?? []);
  return limits.length < drafts.length ? null : limits;
}

function compileAll(
  { packed, payer, version, lookupTables }: CompileInput,
  limits: readonly number[],
  microLamportsPerUnit: bigint,
): readonly CompiledTransaction[] {
  return packed.drafts.map((draft, index) =>
    compileTransaction(draft, {
      payer,
      version,
      lookupTables,
      microLamportsPerUnit,
      computeUnitLimit: limits[index] ?? MAX_COMPUTE_UNITS,
      blockhash: NO_BLOCKHASH,
    }),
  );
}

function ranOutOfUnits(outcome: SimulationOutcome): boolean {
  if (outcome.kind === 'passed') return false;
  return OUT_OF_UNITS.test(outcome.reason) || outcome.logs.some((line) => OUT_OF_UNITS.test(line));
}
