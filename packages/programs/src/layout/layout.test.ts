import { AccountRole, address, getStructCodec, isSolanaError, type ReadonlyUint8Array } from '@solana/kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bankLayout, klendReserveLayout, marginfiAccountLayout, marginfiGroupLayout } from '../index.ts';
import { marginfiAccountCreateEvent, marginfiAccountFreezeEvent } from '../marginfi/events.ts';
import { coption } from '../token/coption.ts';
import { account } from './account.ts';
import { decodeEvent, encodeEvent, isEventOf } from './event.ts';
import {
  array,
  bool,
  bytes,
  f32,
  f64,
  i16,
  i32,
  i64,
  i80f48,
  i128,
  option,
  pubkey,
  u8,
  u16,
  u32,
  u64,
  u128,
} from './field-types.ts';
import { decodeArguments, encodeInstruction, instruction, isInstructionOf } from './instruction.ts';
import { placeOf } from './place-of.ts';
import { struct } from './struct.ts';
import { trailing } from './trailing.ts';

const LAYOUTS = [bankLayout, marginfiAccountLayout, marginfiGroupLayout, klendReserveLayout];
const small = account('Small', {
  one: u8,
  inner: struct({ two: u16, three: i64 }),
  list: array(struct({ four: u8 }), 2),
});

/** Random bytes with zeros strewn in, because a zero takes another way than the rest. */
const bytesOf = (layout: (typeof LAYOUTS)[number]) => {
  const { discriminator, fixedSize } = layout;
  return fc
    .tuple(
      fc.uint8Array({ minLength: fixedSize, maxLength: fixedSize }),
      fc.array(fc.nat(fixedSize - 1), { maxLength: 40 }),
      fc.nat(64),
    )
    .map(([data, starts, length]) => {
      for (const start of starts) data.fill(0, start, start + length);
      data.set(discriminator);
      // No float is a NaN: their payloads need not survive a round trip.
      for (let place = 0; layout === marginfiAccountLayout && place < 16; place += 1) {
        const last = placeOf(layout, `healthCache.prices.${place}`).offset + 7;
        data[last] = (data[last] as number) & 0x3f;
      }
      return data;
    });
};

describe.each(LAYOUTS)('the layout of $name', (layout) => {
  it('reads each field where its encoder, which walks field by field, writes it', () => {
    fc.assert(
      fc.property(bytesOf(layout), (data) => {
        const value: unknown = layout.decode(data);
        expect(Buffer.from(layout.encode(value as never)).equals(data)).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  it('keeps its value when the bytes change afterwards', () => {
    const [data] = fc.sample(bytesOf(layout), 1) as [Uint8Array];
    const copy = Uint8Array.from(data);
    const value: unknown = layout.decode(data);
    data.fill(1);
    expect(value).toStrictEqual(layout.decode(copy));
  });
});

describe('account', () => {
  const written = small.encode({ one: 1, inner: { two: 2, three: -3n }, list: [{ four: 4 }, { four: 5 }] });

  it('begins as Anchor begins an account of its name', () => {
    expect(Buffer.from(written).toString('hex')).toBe(
      `${Buffer.from(small.discriminator).toString('hex')}010200fdffffffffffffff0405`,
    );
    expect(Buffer.from(bankLayout.discriminator).toString('hex')).toBe('8e31a6f2324261bc');
  });

  it('is read in the middle of other bytes, and from a buffer that is not aligned', () => {
    const surrounded = new Uint8Array(written.length + 12);
    surrounded.set(written, 5);
    const value = small.decode(written);
    expect(value).toEqual({ one: 1, inner: { two: 2, three: -3n }, list: [{ four: 4 }, { four: 5 }] });
    expect(small.read(surrounded, 5)).toEqual([value, written.length + 5]);
    expect(small.decode(surrounded.subarray(5))).toEqual(value);
  });

  it('rejects what begins otherwise or is too short', () => {
    const wrong = (data: ReadonlyUint8Array) => {
      try {
        return small.decode(data);
      } catch (error) {
        return isSolanaError(error);
      }
    };
    for (let at = 0; at < 8; at += 1) {
      const other = Uint8Array.from(written);
      other[at] = (other[at] as number) ^ 1;
      expect(wrong(other)).toBe(true);
    }
    for (let size = 0; size < written.length; size += 1) expect(wrong(written.slice(0, size))).toBe(true);
  });
});

describe('struct', () => {
  const all = {
    ...{ a: u8, b: u16, c: i16, d: u32, e: i32, f: u64, g: i64, h: u128, i: i128, j: f32, k: f64, l: bool },
    ...{ m: pubkey, n: bytes(3), o: array(u16, 3), p: coption(u64) },
  };
  const walked = getStructCodec(Object.entries(all));
  const outcomeOf = (read: () => unknown) => {
    try {
      return read();
    } catch (error) {
      return error;
    }
  };

  it('reads any bytes as a walk over its types does, with the same error where they are too short', () => {
    const layout = struct(all);
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 0, maxLength: layout.fixedSize }), fc.boolean(), (data, isWhole) => {
        const read = isWhole ? Uint8Array.from([...data, ...new Uint8Array(layout.fixedSize - data.length)]) : data;
        expect(outcomeOf(() => layout.decode(read))).toEqual(outcomeOf(() => walked.decode(read)));
      }),
      { numRuns: 300 },
    );
  });

  it('says where each field begins, and rejects a path that it does not have', () => {
    expect(placeOf(small, 'inner.three')).toMatchObject({ offset: 8 + 1 + 2, type: { fixedSize: 8 } });
    expect(placeOf(small, 'list.1.four').offset).toBe(8 + 1 + 10 + 1);
    expect(() => placeOf(small, 'inner.four')).toThrow('The layout has no inner.four');
  });

  it('takes numbers of every width, addresses and reserved bytes', () => {
    const layout = struct({ key: pubkey, price: i80f48, reserved: bytes(200) });
    const data = new Uint8Array(layout.fixedSize).fill(255);
    const { key, price, reserved } = layout.decode(data);
    expect([key, price, reserved.length]).toEqual(['JEKNVnkbo3jma5nREBBJCDoXFVeKkD56V3xKrvRmWxFG', -1n, 200]);
    expect(layout.encode({ key, price, reserved })).toEqual(data);
  });
});

const program = address('MFv2hWf31Z9kbCa1snEPYctwafyhdvnV7FZnsebVacA');
const someone = address('JEKNVnkbo3jma5nREBBJCDoXFVeKkD56V3xKrvRmWxFG');
const layout = instruction(
  'lending_account_deposit',
  `
    group, marginfiAccount w, authority s,
    payer ws, farm w?
  `,
  { amount: u64, depositUpToLimit: option(bool) },
);
const accounts = { group: someone, marginfiAccount: someone, authority: someone, payer: someone, farm: null };

describe('instruction', () => {
  it('names accounts in order with what they are, and begins as Anchor begins one of its name', () => {
    const built = encodeInstruction(layout, program, accounts, { amount: 5n, depositUpToLimit: true });
    expect(built.accounts?.map(({ role }) => role)).toEqual([
      AccountRole.READONLY,
      AccountRole.WRITABLE,
      AccountRole.READONLY_SIGNER,
      AccountRole.WRITABLE_SIGNER,
      AccountRole.READONLY,
    ]);
    expect(Buffer.from(built.data ?? []).toString('hex')).toBe('ab5eeb675240d48c05000000000000000101');
    expect(isInstructionOf(layout, built.data ?? [])).toBe(true);
    expect(decodeArguments(layout, Uint8Array.from([...(built.data ?? []), 9]))).toEqual({
      amount: 5n,
      depositUpToLimit: true,
    });
  });

  it('has the program’s own address where an optional account is left out, and leaves out no other', () => {
    const args = { amount: 5n, depositUpToLimit: null };
    expect(encodeInstruction(layout, program, accounts, args).accounts?.at(-1)?.address).toBe(program);
    const without = { ...accounts, authority: null as never };
    expect(() => encodeInstruction(layout, program, without, args)).toThrow('authority is not optional');
  });
});

describe('an event', () => {
  const someone = address('MFv2hWf31Z9kbCa1snEPYctwafyhdvnV7FZnsebVacA');
  const header = {
    signer: someone,
    marginfiAccount: someone,
    marginfiAccountAuthority: someone,
    marginfiGroup: someone,
  };

  it('is told from another by its first eight bytes', () => {
    const bytes = encodeEvent(marginfiAccountFreezeEvent, { header, frozen: true });
    expect(isEventOf(marginfiAccountFreezeEvent, bytes)).toBe(true);
    expect(isEventOf(marginfiAccountCreateEvent, bytes)).toBe(false);
    expect(isEventOf(marginfiAccountFreezeEvent, bytes.subarray(0, 7))).toBe(false);
  });

  it('comes back as it was written, whatever a newer program appends', () => {
    const bytes = encodeEvent(marginfiAccountFreezeEvent, { header: { ...header, signer: null }, frozen: true });
    expect(bytes).toHaveLength(8 + 97 + 1);
    const longer = Uint8Array.from([...bytes, 1, 2, 3]);
    expect(decodeEvent(marginfiAccountFreezeEvent, longer)).toEqual({
      header: { ...header, signer: null },
      frozen: true,
    });
  });
});

const codec = struct({ kind: u8, shares: trailing(u64) });

describe('trailing', () => {
  it('reads null where the bytes end before the field, and writes nothing for it', () => {
    expect(codec.decode(Uint8Array.of(7))).toEqual({ kind: 7, shares: null });
    expect([...codec.encode({ kind: 7, shares: null })]).toEqual([7]);
  });

  it('reads and writes the field where it is there', () => {
    const bytes = Uint8Array.of(7, 1, 0, 0, 0, 0, 0, 0, 0);
    expect(codec.decode(bytes)).toEqual({ kind: 7, shares: 1n });
    expect([...codec.encode({ kind: 7, shares: 1n })]).toEqual([...bytes]);
  });

  it('refuses a field that is cut in the middle', () => {
    expect(() => codec.decode(Uint8Array.of(7, 1, 0))).toThrow();
  });
});
