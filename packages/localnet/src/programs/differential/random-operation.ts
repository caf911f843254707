import fc from 'fast-check';

/** Numbers that `build-instructions.ts` reads as an instruction against the state it meets: shrinks well, never stale. */
export interface Operation {
  readonly kind: number;
  readonly side: number;
  readonly picks: readonly [number, number, number, number];
  readonly amount: number;
  readonly authority: number;
  readonly flag: number;
  /** Below `MUTATION_RATE` of 100 the instruction is spoilt in some way. */
  readonly mutation: number;
  readonly mutationPicks: readonly [number, number];
}

export interface RandomTransaction {
  readonly operations: readonly Operation[];
  readonly payer: number;
  readonly version: 'legacy' | 0 | 1;
  /** Epochs that pass before it. */
  readonly epochs: number;
}

const pick = fc.nat({ max: 999 });

const operation: fc.Arbitrary<Operation> = fc.record({
  kind: fc.nat({ max: 9_999 }),
  side: fc.nat({ max: 1 }),
  picks: fc.tuple(pick, pick, pick, pick),
  amount: pick,
  authority: fc.nat({ max: 99 }),
  flag: pick,
  mutation: fc.nat({ max: 99 }),
  mutationPicks: fc.tuple(pick, pick),
});

/** Without the bias to small numbers that suits quantities: these are dice. */
export const randomTransactions: fc.Arbitrary<readonly RandomTransaction[]> = fc.noBias(
  fc.array(
    fc.record({
      operations: fc.oneof(
        { weight: 3, arbitrary: fc.array(operation, { minLength: 1, maxLength: 1 }) },
        { weight: 1, arbitrary: fc.array(operation, { minLength: 2, maxLength: 3 }) },
      ),
      payer: fc.nat({ max: 19 }),
      version: fc.constantFrom('legacy' as const, 0 as const, 1 as const),
      epochs: fc.nat({ max: 9 }).map((value) => Math.max(0, value - 7)),
    }),
    { minLength: 20, maxLength: 40, size: 'max' },
  ),
);
