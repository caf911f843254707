import { createHash } from 'node:crypto';
import { readAddress } from '@lending/programs';
import { type Address, getBase58Decoder, type ReadonlyUint8Array, type Signature } from '@solana/kit';
import { readU16, readU32, readU64 } from './bytes.ts';

export type TransactionVersion = 'legacy' | 0 | 1;

interface WireInstruction {
  readonly programIdIndex: number;
  readonly accounts: readonly number[];
  readonly data: Uint8Array;
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
  readonly messageBytes: Uint8Array;
  /** One per required signer, in order; null where the wire has zeros. */
  readonly signatureBytes: readonly (Uint8Array | null)[];
  /** Base58, in signer order; an absent signature is 64 zero bytes. */
  readonly signatures: readonly Signature[];
  /** Sha-256 of the message bytes, hex: what the runtime remembers to refuse a transaction a second time. */
  readonly messageHash: string;
}

const base58 = getBase58Decoder();
const SIGNATURE_SIZE = 64;
const ADDRESS_SIZE = 32;
/** First byte of a message of version 0; one less for each that says nothing of its version, one more for version 1. */
const VERSION_0 = 0x80;
const VERSION_1 = 0x81;

/**
 * Reads a transaction of any version. Not with kit's decoders: they spell each address in base 58 twice, which took a hundred times as long
 * and was a third of what a transaction cost the local chain; here an address that was seen before is recognised.
 * @throws RangeError for bytes that are no transaction
 */
export function decodeWireTransaction(wire: ReadonlyUint8Array): WireTransaction {
  const from = new Cursor(wire);
  const isSignedFirst = from.peek() < VERSION_0;
  const leading = isSignedFirst ? from.list(() => from.take(SIGNATURE_SIZE)) : [];
  const start = from.at;
  const message = readMessage(from);
  const messageBytes = from.between(start);
  const signerCount = message.header.numSignerAccounts;
  const found = isSignedFirst ? leading : from.items(signerCount, () => from.take(SIGNATURE_SIZE));
  if (found.length !== signerCount || signerCount === 0 || !from.isAtEnd) throw malformed();
  return {
    message,
    messageBytes,
    signatureBytes: found.map((signature) => (signature.some((byte) => byte !== 0) ? signature : null)),
    signatures: found.map((signature) => base58.decode(signature) as Signature),
    messageHash: createHash('sha256').update(messageBytes).digest('hex'),
  };
}

/** Reads a message without signatures, as `getFeeForMessage` is sent one. @throws RangeError for bytes that are no message */
export function decodeWireMessage(messageBytes: ReadonlyUint8Array): WireMessage {
  const from = new Cursor(messageBytes);
  const message = readMessage(from);
  if (!from.isAtEnd) throw malformed();
  return message;
}

function readMessage(from: Cursor): WireMessage {
  if (from.peek() < VERSION_0) return { version: 'legacy', ...readBody(from), addressTableLookups: [] };
  const version = from.byte();
  if (version === VERSION_1) return readVersion1(from);
  if (version !== VERSION_0) throw malformed();
  const body = readBody(from);
  const addressTableLookups = from.list(() => ({
    lookupTableAddress: from.address(),
    writableIndexes: from.list(() => from.byte()),
    readonlyIndexes: from.list(() => from.byte()),
  }));
  return { version: 0, ...body, addressTableLookups };
}

/** What a legacy message and one of version 0 have in common. */
function readBody(from: Cursor) {
  return {
    header: readHeader(from),
    staticAccounts: from.list(() => from.address()),
    recentBlockhash: from.address() as string,
    instructions: from.list(() => ({
      programIdIndex: from.byte(),
      accounts: from.list(() => from.byte()),
      data: from.take(from.count()),
    })),
  };
}

/** @see SIMD-0385 */
function readVersion1(from: Cursor): WireMessage {
  const header = readHeader(from);
  const mask = readU32(from.take(4), 0);
  const recentBlockhash = from.address() as string;
  const [instructionCount, accountCount] = [from.byte(), from.byte()];
  const staticAccounts = from.items(accountCount, () => from.address());
  const config = readConfig(from, mask);
  const shapes = from.items(instructionCount, () => ({
    programIdIndex: from.byte(),
    accountCount: from.byte(),
    dataLength: readU16(from.take(2), 0),
  }));
  const instructions = shapes.map((shape) => ({
    programIdIndex: shape.programIdIndex,
    accounts: from.items(shape.accountCount, () => from.byte()),
    data: from.take(shape.dataLength),
  }));
  return { version: 1, header, staticAccounts, instructions, recentBlockhash, addressTableLookups: [], config };
}

/** Mask bits of a v1 message, lowest first; a value follows for each bit set, one for the first two together. */
function readConfig(from: Cursor, mask: number): WireConfig {
  const number = () => readU32(from.take(4), 0);
  return {
    ...((mask & 0b11) === 0b11 ? { priorityFeeLamports: readU64(from.take(8), 0) } : {}),
    ...((mask & 0b100) === 0 ? {} : { computeUnitLimit: number() }),
    ...((mask & 0b1000) === 0 ? {} : { loadedAccountsDataSizeLimit: number() }),
    ...((mask & 0b1_0000) === 0 ? {} : { heapSize: number() }),
  };
}

function readHeader(from: Cursor): WireMessage['header'] {
  return {
    numSignerAccounts: from.byte(),
    numReadonlySignerAccounts: from.byte(),
    numReadonlyNonSignerAccounts: from.byte(),
  };
}

/** Reads on from where it stands. @throws RangeError past the end */
class Cursor {
  readonly #bytes: Uint8Array;
  at = 0;

  constructor(bytes: ReadonlyUint8Array) {
    this.#bytes = new Uint8Array(bytes);
  }

  get isAtEnd(): boolean {
    return this.at === this.#bytes.length;
  }

  peek(): number {
    return this.#bytes[this.at] ?? 0;
  }

  byte(): number {
    return this.take(1)[0] ?? 0;
  }

  take(size: number): Uint8Array {
    const end = this.at + size;
    if (end > this.#bytes.length) throw malformed();
    const taken = this.#bytes.subarray(this.at, end);
    this.at = end;
    return taken;
  }

  /** What was read since `start`. */
  between(start: number): Uint8Array {
    return this.#bytes.subarray(start, this.at);
  }

  address(): Address {
    return readAddress(this.take(ADDRESS_SIZE));
  }

  /** A length of one or two bytes; longer ones are of no transaction that fits. */
  count(): number {
    const low = this.byte();
    if (low < 0x80) return low;
    const high = this.byte();
    if (high === 0 || high >= 0x80) throw malformed();
    return (low & 0x7f) + 0x80 * high;
  }

  list<T>(read: () => T): T[] {
    return this.items(this.count(), read);
  }

  items<T>(count: number, read: () => T): T[] {
    return Array.from({ length: count }, read);
  }
}

function malformed(): RangeError {
  return new RangeError('The bytes are no transaction');
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
