import type { Address, CompiledTransactionMessage, ReadonlyUint8Array } from '@solana/kit';
import { readTransaction } from './read-wire.ts';
import { TransactionFailure } from './transaction-failure.ts';

/** A transaction's parts, the same shape for every version. */
export interface DecodedTransaction {
  readonly version: 'legacy' | 0 | 1;
  readonly messageBytes: Uint8Array;
  /** One per required signer, in order; `null` where the wire has zeros. */
  readonly signatures: readonly (Uint8Array | null)[];
  readonly header: CompiledTransactionMessage['header'];
  readonly staticKeys: readonly Address[];
  readonly lookups: readonly AddressLookup[];
  readonly instructions: readonly DecodedInstruction[];
  /** Version 1 only: what earlier versions say with ComputeBudget instructions. */
  readonly config: TransactionConfig | undefined;
}

interface DecodedInstruction {
  readonly programIndex: number;
  readonly accounts: readonly number[];
  readonly data: Uint8Array;
}

export interface AddressLookup {
  readonly table: Address;
  readonly writable: readonly number[];
  readonly readonly: readonly number[];
}

/** Absent values are zero, also the limits: a version 1 transaction that sets none may do nothing. */
interface TransactionConfig {
  readonly priorityFeeLamports: bigint;
  readonly computeUnitLimit: number;
  readonly loadedAccountsDataSizeLimit: number;
  readonly heapSize: number | undefined;
}

/**
 * Reads the wire format: legacy, version 0, or version 1 (SIMD-0385, prefix 0x81).
 * @throws TransactionFailure `SanitizeFailure` when the bytes are no transaction.
 */
export function decodeTransaction(wire: Uint8Array): DecodedTransaction {
  try {
    const { message, messageBytes, signatures } = readTransaction(wire);
    return {
      version: message.version,
      messageBytes: new Uint8Array(messageBytes),
      signatures: signatures.map(copyOrNull),
      header: message.header,
      staticKeys: message.staticAccounts,
      ...partsOf(message),
    };
  } catch {
    throw new TransactionFailure('SanitizeFailure');
  }
}

function partsOf(message: CompiledTransactionMessage): Pick<DecodedTransaction, 'config' | 'instructions' | 'lookups'> {
  if (message.version === 1) {
    const instructions = message.instructionHeaders.map((header, index) => ({
      programIndex: header.programAccountIndex,
      accounts: message.instructionPayloads[index]?.instructionAccountIndices ?? [],
      data: new Uint8Array(message.instructionPayloads[index]?.instructionData ?? []),
    }));
    return { instructions, lookups: [], config: configOf(message.configMask, message.configValues) };
  }
  const instructions = message.instructions.map((instruction) => ({
    programIndex: instruction.programAddressIndex,
    accounts: instruction.accountIndices ?? [],
    data: new Uint8Array(instruction.data ?? []),
  }));
  const lookups = message.version === 0 ? (message.addressTableLookups ?? []) : [];
  return {
    instructions,
    lookups: lookups.map((lookup) => ({
      table: lookup.lookupTableAddress,
      writable: lookup.writableIndexes,
      readonly: lookup.readonlyIndexes,
    })),
    config: undefined,
  };
}

/** The mask's bits: 0 and 1 the priority fee (both or neither), 2 compute units, 3 loaded data, 4 heap. */
function configOf(mask: number, values: readonly { readonly value: bigint | number }[]): TransactionConfig {
  const remaining = [...values];
  const take = (bits: number) => ((mask & bits) === bits ? remaining.shift()?.value : undefined);
  const priorityFeeLamports = BigInt(take(0b11) ?? 0);
  const computeUnitLimit = Number(take(0b100) ?? 0);
  const loadedAccountsDataSizeLimit = Number(take(0b1000) ?? 0);
  const heapSize = take(0b1_0000);
  return {
    priorityFeeLamports,
    computeUnitLimit,
    loadedAccountsDataSizeLimit,
    heapSize: heapSize === undefined ? undefined : Number(heapSize),
  };
}

function copyOrNull(signature: ReadonlyUint8Array | null): Uint8Array | null {
  return signature === null ? null : new Uint8Array(signature);
}
