import { readAddress } from '@lending/programs';
import {
  type Address,
  type CompiledTransactionMessage,
  type CompiledTransactionMessageWithLifetime,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  type ReadonlyUint8Array,
} from '@solana/kit';

export type ReadMessage = CompiledTransactionMessage & CompiledTransactionMessageWithLifetime;

export interface ReadTransaction {
  readonly message: ReadMessage;
  readonly messageBytes: ReadonlyUint8Array;
  /** One per required signer, in order; null where the wire has zeros. */
  readonly signatures: readonly (ReadonlyUint8Array | null)[];
}

const SIGNATURE_SIZE = 64;
const ADDRESS_SIZE = 32;
const VERSIONED = 0x80;
const transactionDecoder = getTransactionDecoder();
const messageDecoder = getCompiledTransactionMessageDecoder();

/**
 * What kit's decoders read of a transaction. They spell each address in base 58 twice, which was a third of what a transaction cost the
 * local chain; here an address that was seen before is recognised.
 * @throws kit's error for bytes that are no transaction
 */
export function readTransaction(wire: ReadonlyUint8Array): ReadTransaction {
  return readQuickly(wire, quickTransaction) ?? kitTransaction(wire);
}

/** The same of a message without signatures. */
export function readMessage(bytes: ReadonlyUint8Array): ReadMessage {
  return readQuickly(bytes, quickMessage) ?? messageDecoder.decode(bytes);
}

function kitTransaction(wire: ReadonlyUint8Array): ReadTransaction {
  const { messageBytes, signatures } = transactionDecoder.decode(wire);
  return { message: messageDecoder.decode(messageBytes), messageBytes, signatures: Object.values(signatures) };
}

/** Undefined where the bytes are not of the common kind, legacy or version 0 and whole: kit's decoder says what they are. */
function readQuickly<T>(bytes: ReadonlyUint8Array, read: (from: Cursor) => T | undefined): T | undefined {
  const from = new Cursor(bytes);
  const found = read(from);
  return from.isAtEnd ? found : undefined;
}

function quickTransaction(from: Cursor): ReadTransaction | undefined {
  // Version 1 says so first, and has its signatures last.
  if (from.peek() >= VERSIONED) return undefined;
  const signatures = from.list(() => from.take(SIGNATURE_SIZE));
  const messageBytes = from.rest();
  const message = quickMessage(from);
  const signers = message?.staticAccounts.slice(0, signatures.length);
  // Kit names signatures by their signers.
  const isCommon =
    signatures.length > 0 &&
    message?.header.numSignerAccounts === signatures.length &&
    new Set(signers).size === signatures.length;
  if (!isCommon) return undefined;
  const given = signatures.map((signature) => (signature.some((byte) => byte !== 0) ? signature : null));
  return { message, messageBytes, signatures: given };
}

function quickMessage(from: Cursor): ReadMessage | undefined {
  const isVersioned = from.peek() >= VERSIONED;
  if (isVersioned && from.byte() !== VERSIONED) return undefined;
  const header = {
    numSignerAccounts: from.byte(),
    numReadonlySignerAccounts: from.byte(),
    numReadonlyNonSignerAccounts: from.byte(),
  };
  const base = {
    header,
    staticAccounts: from.list(() => from.address()),
    lifetimeToken: from.address() as string,
    instructions: from.list(() => ({
      programAddressIndex: from.byte(),
      accountIndices: from.list(() => from.byte()),
      data: from.take(from.count()),
    })),
  };
  if (!isVersioned) return { version: 'legacy', ...base };
  const addressTableLookups = from.list(() => ({
    lookupTableAddress: from.address(),
    writableIndexes: from.list(() => from.byte()),
    readonlyIndexes: from.list(() => from.byte()),
  }));
  return { version: 0, ...base, addressTableLookups };
}

/** Reads on from where it stands. Past the end it reads nothing, and is not at the end. */
class Cursor {
  readonly #bytes: ReadonlyUint8Array;
  #at = 0;

  constructor(bytes: ReadonlyUint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  peek(): number {
    return this.#bytes[this.#at] ?? 0;
  }

  byte(): number {
    const byte = this.peek();
    this.#at += 1;
    return byte;
  }

  take(size: number): ReadonlyUint8Array {
    const taken = this.#bytes.subarray(this.#at, this.#at + size);
    this.#at += size;
    return taken;
  }

  rest(): ReadonlyUint8Array {
    return this.#bytes.subarray(this.#at);
  }

  address(): Address {
    const bytes = this.take(ADDRESS_SIZE);
    return bytes.length === ADDRESS_SIZE ? readAddress(bytes) : ('' as Address);
  }

  /** A length of one or two bytes; longer ones are of no transaction that fits. */
  count(): number {
    const low = this.byte();
    if (low < 0x80) return low;
    const high = this.byte();
    if (high === 0 || high >= 0x80) this.#fail();
    return (low & 0x7f) + 0x80 * high;
  }

  list<T>(read: () => T): T[] {
    const items: T[] = [];
    const count = this.count();
    while (items.length < count && this.#at < this.#bytes.length) items.push(read());
    if (items.length < count) this.#fail();
    return items;
  }

  #fail(): void {
    this.#at = this.#bytes.length + 1;
  }
}
