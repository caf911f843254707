import type { ActionPlan, LimitMemory } from '@lending/transactions';
import type { Instruction } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { costsOf } from './plan-costs.ts';

const of = (nth: number) => ({ data: Uint8Array.of(nth) }) as unknown as Instruction;
const PLAN = { setup: [of(1)], refresh: [of(2)], action: [of(3)], cleanup: [of(4)], rent: [], pulse: null };
const PULSE = { refresh: [of(2), of(5)], instruction: of(6) };

describe('costsOf', () => {
  it('asks for the limit of what is built, a pulse and its refreshes included', () => {
    const asked: unknown[] = [];
    const limitOf: LimitMemory['limitOf'] = ({ instructions }) => {
      asked.push(instructions.map(({ data }) => data?.[0]));
      return 100_000;
    };
    for (const pulse of [null, PULSE]) {
      const plan = { ...PLAN, pulse } as unknown as ActionPlan;
      expect(costsOf(plan, 1_000_000n, { limitOf } as LimitMemory)).toEqual({
        feeLamports: 105_000n,
        rentLamports: 0n,
      });
    }
    expect(asked).toEqual([
      [1, 2, 3, 4],
      [1, 2, 5, 3, 6, 4],
    ]);
  });
});
