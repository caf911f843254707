import { createHash } from 'node:crypto';
import { type Address, getBase58Decoder, type ReadonlyUint8Array, type Signature } from '@solana/kit';
import { type ReadMessage, readMessage, readTransaction } from '#engine/read-wire.ts';

export type TransactionVersion = 'legacy' | 0 | 1;

interface WireInstruction {
  readonly programIdIndex: number;
  readonly accounts: readonly number[];
  readonly data: ReadonlyUint8Array;
}

/** What a message says about its budget. Legacy and v0 say it in ComputeBudget instructions, v1 in its header. */
interface WireConfig {
  readonly priorityFeeLamports?: bigint;
  readonly computeUnitLimit?: number;
  readonly loadedAccountsDataSizeLimit?: number;
  readonly heapSize?: number;
}

export interface WireMessage {
  readonly version: TransactionVersion;
  readonly header: {
    readonly numSignerAccounts: number;
    readonly numReadonlySignerAccounts: number;
    readonly numReadonlyNonSignerAccounts: number;
  };
  readonly staticAccounts: readonly Address[];
  readonly instructions: readonly WireInstruction[];
  readonly recentBlockhash: string;
  readonly addressTableLookups: readonly {
    readonly lookupTableAddress: Address;
    readonly writableIndexes: readonly number[];
    readonly readonlyIndexes: readonly number[];
  }[];
  /** Present in version 1 only. */
  readonly config?: WireConfig;
}

/** A transaction as its wire bytes read, whatever its version. */
export interface WireTransaction {
  readonly message: WireMessage;
  /** Base58, in signer order; an absent signature is 64 zero bytes. */
  readonly signatures: readonly Signature[];
  /** Sha-256 of the message bytes, hex: what the runtime remembers to refuse a transaction a second time. */
  readonly messageHash: string;
}

const base58 = getBase58Decoder();
const NO_SIGNATURE = new Uint8Array(64);

/** Reads a transaction of any version. Throws kit's own error for bytes that are no transaction. */
export function decodeWireTransaction(wire: ReadonlyUint8Array): WireTransaction {
  const { message, messageBytes, signatures } = readTransaction(wire);
  return {
    message: toWireMessage(message),
    signatures: signatures.map((bytes) => base58.decode(bytes ?? NO_SIGNATURE) as Signature),
    messageHash: createHash('sha256')
      .update(messageBytes as ReadonlyUint8Array as Uint8Array)
      .digest('hex'),
  };
}

/** Reads a message without signatures, as `getFeeForMessage` is sent one. */
export function decodeWireMessage(messageBytes: ReadonlyUint8Array): WireMessage {
  return toWireMessage(readMessage(messageBytes));
}

function toWireMessage(message: ReadMessage): WireMessage {
  const { version, header, staticAccounts, lifetimeToken: recentBlockhash } = message;
  const base = { version, header, staticAccounts, recentBlockhash, addressTableLookups: [] };
  if (message.version === 1) {
    const instructions = message.instructionHeaders.map(({ programAccountIndex }, index) => {
      const payload = message.instructionPayloads[index];
      return {
        programIdIndex: programAccountIndex,
        accounts: payload?.instructionAccountIndices ?? [],
        data: payload?.instructionData ?? new Uint8Array(),
      };
    });
    return { ...base, instructions, config: decodeConfig(message.configMask, message.configValues) };
  }
  const instructions = message.instructions.map(({ programAddressIndex, accountIndices, data }) => ({
    programIdIndex: programAddressIndex,
    accounts: accountIndices ?? [],
    data: data ?? new Uint8Array(),
  }));
  const lookups = message.version === 0 ? (message.addressTableLookups ?? []) : [];
  return {
    ...base,
    instructions,
    addressTableLookups: lookups.map(({ lookupTableAddress, writableIndexes, readonlyIndexes }) => ({
      lookupTableAddress,
      writableIndexes,
      readonlyIndexes,
    })),
  };
}

/** Mask bits of a v1 message, lowest first; a value follows for each bit set. @see SIMD-0385 */
function decodeConfig(mask: number, values: readonly { readonly value: number | bigint }[]): WireConfig {
  const rest = [...values];
  const take = (bits: number) => ((mask & bits) === 0 ? undefined : rest.shift()?.value);
  const [fee, units, size, heap] = [take(0b11), take(0b100), take(0b1000), take(0b1_0000)];
  return {
    ...(fee === undefined ? {} : { priorityFeeLamports: BigInt(fee) }),
    ...(units === undefined ? {} : { computeUnitLimit: Number(units) }),
    ...(size === undefined ? {} : { loadedAccountsDataSizeLimit: Number(size) }),
    ...(heap === undefined ? {} : { heapSize: Number(heap) }),
  };
}

/** Static accounts the message may write, by its header alone. */
export function writableStaticAccounts({ header, staticAccounts }: WireMessage): readonly Address[] {
  const { numSignerAccounts, numReadonlySignerAccounts, numReadonlyNonSignerAccounts } = header;
  return staticAccounts.filter((_, index) =>
    index < numSignerAccounts
      ? index < numSignerAccounts - numReadonlySignerAccounts
      : index < staticAccounts.length - numReadonlyNonSignerAccounts,
  );
}
