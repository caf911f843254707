import { getAddressDecoder, getCompiledTransactionMessageDecoder, getTransactionDecoder } from '@solana/kit';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readMessage, readTransaction } from './read-wire.ts';

const address = fc.uint8Array({ minLength: 32, maxLength: 32 });
/** Few, so that some are named twice. */
const index = fc.integer({ min: 0, max: 9 });
const list = (items: readonly (readonly number[])[]) => [...lengthOf(items.length), ...items.flat()];
const bytesOf = (bytes: readonly number[]) => [...lengthOf(bytes.length), ...bytes];
const lengthOf = (length: number) => (length < 0x80 ? [length] : [(length & 0x7f) | 0x80, length >> 7]);

const transaction = fc
  .record({
    isVersioned: fc.boolean(),
    signatures: fc.array(fc.oneof(fc.constant(new Uint8Array(64)), fc.uint8Array({ minLength: 64, maxLength: 64 })), {
      maxLength: 4,
    }),
    signers: fc.option(fc.integer({ min: 0, max: 5 })),
    keys: fc.array(
      fc.oneof({ weight: 9, arbitrary: address }, { weight: 1, arbitrary: fc.constant(new Uint8Array(32)) }),
      {
        maxLength: 9,
      },
    ),
    blockhash: address,
    instructions: fc.array(fc.tuple(index, fc.array(index), fc.uint8Array({ maxLength: 200 })), { maxLength: 5 }),
    lookups: fc.array(fc.tuple(address, fc.array(index), fc.array(index)), { maxLength: 3 }),
    trailing: fc.uint8Array({ maxLength: 1 }),
  })
  .map(({ isVersioned, signatures, signers, keys, blockhash, instructions, lookups, trailing }) => [
    ...list(signatures.map((one) => [...one])),
    ...(isVersioned ? [0x80] : []),
    ...[signers ?? signatures.length, 0, 1],
    ...list(keys.map((one) => [...one])),
    ...blockhash,
    ...list(instructions.map(([program, accounts, data]) => [program, ...bytesOf(accounts), ...bytesOf([...data])])),
    ...(isVersioned ? list(lookups.map(([table, ...two]) => [...table, ...two.flatMap(bytesOf)])) : []),
    ...trailing,
  ]);

/** What was read, or why nothing was; what kit leaves out is empty. */
function outcomeOf(read: () => unknown): unknown {
  const plain = (value: unknown): unknown => {
    if (value instanceof Uint8Array) return [...value];
    if (Array.isArray(value)) return value.map(plain);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(([name, inner]) => [name, plain(inner)] as const);
    return Object.fromEntries(entries.filter(([, inner]) => !Array.isArray(inner) || inner.length > 0));
  };
  try {
    return plain(read());
  } catch (error) {
    return String(error);
  }
}

function expectSame(wire: Uint8Array): boolean {
  const kit = outcomeOf(() => {
    const { messageBytes, signatures } = getTransactionDecoder().decode(wire);
    const message = getCompiledTransactionMessageDecoder().decode(messageBytes);
    return { message, messageBytes, signatures: Object.values(signatures) };
  });
  expect(outcomeOf(() => readTransaction(wire))).toEqual(kit);
  expect(outcomeOf(() => readMessage(wire))).toEqual(
    outcomeOf(() => getCompiledTransactionMessageDecoder().decode(wire)),
  );
  return typeof kit !== 'string';
}

it('reads of any bytes what kit reads, or fails as it does', () => {
  const counts = { read: 0, refused: 0 };
  fc.assert(
    fc.property(transaction, fc.nat(), fc.nat({ max: 255 }), fc.nat(), (bytes, at, byte, end) => {
      const [whole, bent] = [Uint8Array.from(bytes), Uint8Array.from(bytes)];
      bent[at % bent.length] = byte;
      for (const wire of [whole, bent, whole.subarray(0, end % (whole.length + 1))])
        counts[expectSame(wire) ? 'read' : 'refused'] += 1;
    }),
    { numRuns: 300 },
  );
  expect(Math.min(counts.read, counts.refused)).toBeGreaterThan(100);
});

it('reads what is common itself: kit leaves lists out that are empty', () => {
  const key = new Uint8Array(32).fill(7);
  const program = new Uint8Array(32);
  const wire = Uint8Array.from([1, ...new Array(64).fill(1), 1, 0, 1, 2, ...key, ...program, ...key, 1, 1, 0, 0]);
  const { message } = readTransaction(wire);
  expect(message.staticAccounts).toEqual([key, program].map((bytes) => getAddressDecoder().decode(bytes)));
  expect(message).toMatchObject({
    instructions: [{ programAddressIndex: 1, accountIndices: [], data: new Uint8Array() }],
  });
});
