import * as kit from '@solana/kit';
import { describe, expect, it } from 'vitest';
import * as ours from './number-codecs.ts';

/** All patterns of signs and words: zeros, ones, high bits. */
const BYTES = Uint8Array.from({ length: 96 }, (_, at) => (at < 32 ? at * 37 : at < 64 ? 255 : at === 79 ? 128 : 0));

function outcomeOf(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return String(error);
  }
}

/** As the caller of a codec sees it: a number or a big integer of any width. */
type AnyCodec = kit.FixedSizeCodec<number | bigint, number | bigint>;
const OURS = new Map(Object.entries(ours) as unknown as [string, () => AnyCodec][]);
const KITS = new Map(Object.entries(kit) as unknown as [string, () => AnyCodec][]);

describe.each([...OURS.keys()])('%s', (name) => {
  const [mine, theirs] = [OURS, KITS].map((all) => all.get(name)?.()) as [AnyCodec, AnyCodec];

  it('reads what kit reads at every place, of a part of a buffer too, and says what kit says past the end', () => {
    for (const bytes of [BYTES, BYTES.subarray(7, 90)])
      for (let at = 0; at <= bytes.length + 1; at += 1)
        expect([at, outcomeOf(() => mine.read(bytes, at))]).toEqual([at, outcomeOf(() => theirs.read(bytes, at))]);
  });

  it('writes what kit writes, and refuses what kit refuses, in its words', () => {
    const bits = BigInt(8 * mine.fixedSize);
    const edges = [bits, bits - 1n].flatMap((place) => [-1n, 0n, 1n].map((by) => (1n << place) + by));
    const values = [0n, 1n, 77n, ...edges].flatMap((value) => [value, -value]);
    for (const value of [...values, ...values.filter((one) => one >= -99n && one <= 99n).map(Number)])
      expect([value, outcomeOf(() => mine.encode(value))]).toEqual([value, outcomeOf(() => theirs.encode(value))]);
    for (const at of [3, 20 - mine.fixedSize, 21 - mine.fixedSize]) {
      const [one, other] = [BYTES.slice(0, 20), BYTES.slice(0, 20)];
      expect(outcomeOf(() => mine.write(5, one, at))).toEqual(outcomeOf(() => theirs.write(5, other, at)));
      expect(one).toEqual(other);
    }
  });
});
