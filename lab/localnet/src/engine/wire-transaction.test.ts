import {
  appendTransactionMessageInstruction,
  compileTransaction,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  setTransactionMessageConfig,
} from '@solana/kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressOf, messageV1, transferOf, wireOf } from './testing-transactions.ts';
import { decodeWireMessage, decodeWireTransaction, type WireMessage } from './wire-transaction.ts';

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
/** Few, so that some are named twice. */
const index = fc.integer({ min: 0, max: 9 });
const list = (items: readonly (readonly number[])[]) => [...lengthOf(items.length), ...items.flat()];
const bytesOf = (items: readonly number[]) => [...lengthOf(items.length), ...items];
const lengthOf = (length: number) => (length < 0x80 ? [length] : [(length & 0x7f) | 0x80, length >> 7]);

/** Wire bytes of a legacy transaction or one of version 0. */
const transaction = fc
  .record({
    isVersioned: fc.boolean(),
    signatures: fc.array(fc.oneof(fc.constant(new Uint8Array(64)), bytes(64)), { minLength: 1, maxLength: 4 }),
    keys: fc.uniqueArray(bytes(32), { minLength: 4, maxLength: 9, selector: String }),
    blockhash: bytes(32),
    instructions: fc.array(fc.tuple(index, fc.array(index), fc.uint8Array({ maxLength: 200 })), { maxLength: 5 }),
    lookups: fc.array(fc.tuple(bytes(32), fc.array(index), fc.array(index)), { maxLength: 3 }),
  })
  .map(({ isVersioned, signatures, keys, blockhash, instructions, lookups }) =>
    Uint8Array.from([
      ...list(signatures.map((one) => [...one])),
      ...(isVersioned ? [0x80] : []),
      ...[signatures.length, 0, 1],
      ...list(keys.map((one) => [...one])),
      ...blockhash,
      ...list(instructions.map(([program, accounts, data]) => [program, ...bytesOf(accounts), ...bytesOf([...data])])),
      ...(isVersioned ? list(lookups.map(([table, ...two]) => [...table, ...two.flatMap(bytesOf)])) : []),
    ]),
  );

/** What kit reads of the same bytes, in our words; kit leaves lists out that are empty. */
function kitOf(wire: Uint8Array) {
  const { messageBytes, signatures } = getTransactionDecoder().decode(wire);
  const message = getCompiledTransactionMessageDecoder().decode(messageBytes);
  if (message.version === 1) throw new TypeError('Version 1 has no such shape');
  const { version, header, staticAccounts, lifetimeToken: recentBlockhash, instructions } = message;
  const read: WireMessage = {
    version,
    header,
    staticAccounts,
    recentBlockhash,
    instructions: instructions.map(({ programAddressIndex, accountIndices, data }) => ({
      programIdIndex: programAddressIndex,
      accounts: accountIndices ?? [],
      data: new Uint8Array(data ?? []),
    })),
    addressTableLookups: (version === 0 ? message.addressTableLookups : undefined) ?? [],
  };
  return { message: read, messageBytes, signatureBytes: Object.values(signatures) };
}

describe('decodeWireTransaction', () => {
  it('reads what kit reads of a legacy transaction and of version 0, and nothing of one that was cut', () => {
    fc.assert(
      fc.property(transaction, fc.nat(), (wire, cut) => {
        const read = decodeWireTransaction(wire);
        expect(read).toMatchObject(kitOf(wire));
        expect(decodeWireMessage(read.messageBytes)).toEqual(read.message);
        expect(() => decodeWireTransaction(wire.subarray(0, cut % wire.length))).toThrow(RangeError);
        expect(() => decodeWireTransaction(Uint8Array.of(...wire, 0))).toThrow(RangeError);
      }),
    );
  });

  it('fails with a RangeError on bytes that are no transaction, whatever they are', () => {
    fc.assert(
      fc.property(transaction, fc.nat(), fc.nat({ max: 255 }), (wire, at, byte) => {
        const bent = wire.with(at % wire.length, byte);
        try {
          expect(decodeWireTransaction(bent).messageBytes.length).toBeLessThan(bent.length);
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
        }
      }),
    );
  });

  it('reads version 1 with what its header asks for', () => {
    const [payer, receiver] = [addressOf(1), addressOf(2)];
    const config = {
      computeUnitLimit: 1_000,
      loadedAccountsDataSizeLimit: 10_000,
      heapSize: 65_536,
      priorityFeeLamports: 77n,
    };
    const transfer = transferOf(payer, receiver, 5n);
    const message = setTransactionMessageConfig(
      config,
      appendTransactionMessageInstruction(transfer, messageV1(payer)),
    );
    const read = decodeWireTransaction(wireOf(compileTransaction(message)));
    expect(read.signatureBytes).toEqual([null]);
    expect(read.message).toMatchObject({
      version: 1,
      config,
      staticAccounts: [payer, receiver, transfer.programAddress],
    });
    expect(read.message.instructions).toEqual([{ programIdIndex: 2, accounts: [0, 1], data: transfer.data }]);
  });
});
