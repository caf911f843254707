import { COMPUTE_BUDGET_PROGRAM, SECP256K1_PROGRAM, SYSTEM_PROGRAM } from '@lending/programs';
import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { addressOf, instructionOf } from './testing-instructions.ts';
import { unitsByInstruction } from './units-by-instruction.ts';

const [A, B] = [addressOf(1), addressOf(2)];
const of = (...programs: readonly Address[]) => programs.map((program) => instructionOf({ program }));
const run = (program: Address, units: number, inner: readonly string[] = [], depth = 1) => [
  `Program ${program} invoke [${depth}]`,
  ...inner,
  `Program ${program} consumed ${units} of 200000 compute units`,
  `Program ${program} success`,
];
const builtin = (program: Address) => [`Program ${program} invoke [1]`, `Program ${program} success`];

describe('unitsByInstruction', () => {
  it('reads what each took, what it called included', () => {
    const logs = [...run(A, 90, run(B, 50, [], 2)), ...run(B, 7), ...run(A, 5, run(A, 3, [], 2))];
    expect(unitsByInstruction(of(A, B, A), logs)).toEqual([90, 7, 5]);
  });

  it('counts the runtime’s own programs, and leaves out the compute budget and signature checks', () => {
    const logs = [...builtin(COMPUTE_BUDGET_PROGRAM), ...builtin(SYSTEM_PROGRAM), ...run(A, 9)];
    expect(unitsByInstruction(of(SECP256K1_PROGRAM, SYSTEM_PROGRAM, A), logs)).toEqual([null, 150, 9]);
  });

  it('believes no program’s own words', () => {
    const logs = run(A, 9, [
      `Program log: Program ${B} invoke [1]`,
      `Program log: Program ${A} consumed 1 of 2 compute units`,
    ]);
    expect(unitsByInstruction(of(A, B), logs)).toEqual([9, null]);
  });

  it('does not know what a cut log leaves out, nor what it breaks off in', () => {
    const logs = [...run(A, 9), `Program ${A} invoke [1]`, ...run(A, 3, [], 2), 'Log truncated'];
    expect(unitsByInstruction(of(A, A, B), logs)).toEqual([9, null, null]);
  });

  it('knows nothing behind what is not as it was sent', () => {
    expect(unitsByInstruction(of(A, B, A), [...run(A, 9), ...run(A, 5), ...run(A, 5)])).toEqual([9, null, null]);
    expect(unitsByInstruction(of(A), [])).toEqual([null]);
  });
});
