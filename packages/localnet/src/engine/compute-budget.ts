import { readU32, readU64 } from './bytes.ts';
import type { DecodedTransaction } from './decode-transaction.ts';
import { BUILTIN_PROGRAMS, COMPUTE_BUDGET_PROGRAM } from './runtime-addresses.ts';
import { TransactionFailure } from './transaction-failure.ts';

const MAX_COMPUTE_UNITS = 1_400_000;
const DEFAULT_UNITS = 200_000;
const DEFAULT_BUILTIN_UNITS = 3_000;
const MAX_LOADED_DATA = 64 * 1024 * 1024;
const HEAP = { min: 32 * 1024, max: 256 * 1024, step: 1024 } as const;
const MICRO_LAMPORTS_PER_LAMPORT = 1_000_000n;

/** What a transaction asked to be given, and what it pays for it. */
export interface ComputeBudget {
  readonly unitLimit: number;
  /** Bytes of account data the transaction may load. */
  readonly loadedDataLimit: number;
  readonly priorityFeeLamports: bigint;
}

/** First byte of the ComputeBudget instructions that still mean something. */
const TAGS = { heap: 1, units: 2, price: 3, loadedData: 4 } as const;

/**
 * Reads the budget from the ComputeBudget instructions, or from the header of a version 1 transaction (whose ComputeBudget
 * instructions say nothing).
 * @throws TransactionFailure naming the instruction that is malformed or stands twice.
 */
export function readComputeBudget(transaction: DecodedTransaction): ComputeBudget {
  const { config } = transaction;
  if (config !== undefined) {
    if (config.heapSize !== undefined && !isHeapAllowed(config.heapSize))
      throw new TransactionFailure('SanitizeFailure');
    return {
      unitLimit: Math.min(config.computeUnitLimit, MAX_COMPUTE_UNITS),
      loadedDataLimit: Math.min(config.loadedAccountsDataSizeLimit, MAX_LOADED_DATA),
      priorityFeeLamports: config.priorityFeeLamports,
    };
  }
  const requested = readRequests(transaction);
  const unitLimit = Math.min(Number(requested.get(TAGS.units) ?? defaultUnits(transaction)), MAX_COMPUTE_UNITS);
  const loadedData = requested.get(TAGS.loadedData);
  if (loadedData === 0n) throw new TransactionFailure('InvalidLoadedAccountsDataSizeLimit');
  const price = requested.get(TAGS.price) ?? 0n;
  return {
    unitLimit,
    loadedDataLimit: Math.min(Number(loadedData ?? MAX_LOADED_DATA), MAX_LOADED_DATA),
    priorityFeeLamports: (price * BigInt(unitLimit) + MICRO_LAMPORTS_PER_LAMPORT - 1n) / MICRO_LAMPORTS_PER_LAMPORT,
  };
}

function readRequests(transaction: DecodedTransaction): Map<number, bigint> {
  const requests = new Map<number, bigint>();
  for (const [index, { programIndex, data }] of transaction.instructions.entries()) {
    if (transaction.staticKeys[programIndex] !== COMPUTE_BUDGET_PROGRAM) continue;
    const [tag, value] = readRequest(data, index);
    if (requests.has(tag)) throw new TransactionFailure({ DuplicateInstruction: index });
    requests.set(tag, value);
  }
  return requests;
}

function readRequest(data: Uint8Array, index: number): [number, bigint] {
  const tag = data[0] ?? 0;
  const bytes = tag === TAGS.price ? 8 : 4;
  const isKnown = tag >= TAGS.heap && tag <= TAGS.loadedData && data.length > bytes;
  if (!isKnown) throw malformed(index);
  const value = tag === TAGS.price ? readU64(data, 1) : BigInt(readU32(data, 1));
  if (tag === TAGS.heap && !isHeapAllowed(Number(value))) throw malformed(index);
  return [tag, value];
}

function isHeapAllowed(bytes: number): boolean {
  return bytes >= HEAP.min && bytes <= HEAP.max && bytes % HEAP.step === 0;
}

function defaultUnits(transaction: DecodedTransaction): number {
  return transaction.instructions.reduce((sum, { programIndex }) => {
    const programId = transaction.staticKeys[programIndex];
    const isBuiltin = programId !== undefined && BUILTIN_PROGRAMS.has(programId);
    return sum + (isBuiltin ? DEFAULT_BUILTIN_UNITS : DEFAULT_UNITS);
  }, 0);
}

function malformed(index: number): TransactionFailure {
  return new TransactionFailure({ InstructionError: [index, 'InvalidInstructionData'] });
}
