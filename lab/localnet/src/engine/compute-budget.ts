import { SECP256K1_PROGRAM } from '@lending/programs';
import { readU32, readU64 } from './bytes.ts';
import { TransactionFailure } from './instruction-error.ts';
import { BUILTIN_PROGRAMS, COMPUTE_BUDGET_PROGRAM } from './runtime-addresses.ts';
import type { WireMessage } from './wire-transaction.ts';

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
  /** Micro-lamports per compute unit. */
  readonly unitPrice: bigint;
  /** Price and limit multiplied, rounded up. */
  readonly priorityFeeLamports: bigint;
}

/** First byte of the ComputeBudget instructions that still mean something. */
const TAGS = { heap: 1, units: 2, price: 3, loadedData: 4 } as const;

/**
 * Reads the budget from the ComputeBudget instructions, or from the header of a version 1 transaction (whose ComputeBudget
 * instructions say nothing; values it does not set are zero, also the limits).
 * @throws TransactionFailure naming the instruction that is malformed or stands twice.
 */
export function readComputeBudget(message: WireMessage): ComputeBudget {
  const { config = {} } = message;
  if (message.version === 1) {
    if (config.heapSize !== undefined && !isHeapAllowed(config.heapSize)) {
      throw new TransactionFailure('SanitizeFailure');
    }
    const unitLimit = Math.min(config.computeUnitLimit ?? 0, MAX_COMPUTE_UNITS);
    const { priorityFeeLamports = 0n } = config;
    return {
      unitLimit,
      loadedDataLimit: Math.min(config.loadedAccountsDataSizeLimit ?? 0, MAX_LOADED_DATA),
      unitPrice: unitLimit === 0 ? 0n : (priorityFeeLamports * MICRO_LAMPORTS_PER_LAMPORT) / BigInt(unitLimit),
      priorityFeeLamports,
    };
  }
  const requested = readRequests(message);
  const unitLimit = Math.min(Number(requested.get(TAGS.units) ?? defaultUnits(message)), MAX_COMPUTE_UNITS);
  const loadedData = requested.get(TAGS.loadedData);
  if (loadedData === 0n) throw new TransactionFailure('InvalidLoadedAccountsDataSizeLimit');
  const unitPrice = requested.get(TAGS.price) ?? 0n;
  return {
    unitLimit,
    loadedDataLimit: Math.min(Number(loadedData ?? MAX_LOADED_DATA), MAX_LOADED_DATA),
    unitPrice,
    priorityFeeLamports: (unitPrice * BigInt(unitLimit) + MICRO_LAMPORTS_PER_LAMPORT - 1n) / MICRO_LAMPORTS_PER_LAMPORT,
  };
}

/**
 * Lamports the message costs its fee payer: its signatures, and those that the runtime checks for programs, which the first byte of such
 * an instruction counts; and what it bids.
 * @throws TransactionFailure as `readComputeBudget`
 */
export function computeMessageFee(message: WireMessage, lamportsPerSignature: bigint): bigint {
  const checked = message.instructions.map((instruction) =>
    programOf(message, instruction) === SECP256K1_PROGRAM ? (instruction.data[0] ?? 0) : 0,
  );
  const signatures = checked.reduce((sum, count) => sum + count, message.header.numSignerAccounts);
  return BigInt(signatures) * lamportsPerSignature + readComputeBudget(message).priorityFeeLamports;
}

function readRequests(message: WireMessage): Map<number, bigint> {
  const requests = new Map<number, bigint>();
  for (const [index, instruction] of message.instructions.entries()) {
    if (programOf(message, instruction) !== COMPUTE_BUDGET_PROGRAM) continue;
    const [tag, value] = readRequest(instruction.data, index);
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

function defaultUnits(message: WireMessage): number {
  return message.instructions.reduce((sum, instruction) => {
    const programId = programOf(message, instruction);
    const isBuiltin = programId !== undefined && BUILTIN_PROGRAMS.has(programId);
    return sum + (isBuiltin ? DEFAULT_BUILTIN_UNITS : DEFAULT_UNITS);
  }, 0);
}

function programOf({ staticAccounts }: WireMessage, { programIdIndex }: WireMessage['instructions'][number]) {
  return staticAccounts[programIdIndex];
}

function malformed(index: number): TransactionFailure {
  return new TransactionFailure({ InstructionError: [index, 'InvalidInstructionData'] });
}
