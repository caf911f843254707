import { isLendingError } from '@lending/errors';
import { encodeInstruction, lendingAccountEndFlashloan, lendingAccountStartFlashloan } from '@lending/programs';
import type { Instruction } from '@solana/kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileTransaction } from './compile-transaction.ts';
import { measureTransaction } from './measure-transaction.ts';
import { MAX_TRANSACTIONS, type PackedPlan, packPlan } from './pack-plan.ts';
import {
  ANY_BLOCKHASH,
  addressOf,
  instructionOf,
  OPTIONS,
  PAYER,
  PROGRAM,
  planOf,
  range,
} from './testing-instructions.ts';
import { tipInstruction } from './tip.ts';

const PACK = { ...OPTIONS, tipLamports: 10_000n };
const FLASH_LOAN = { marginfiAccount: addressOf(50), group: addressOf(52), authority: PAYER };
const start = encodeInstruction(
  lendingAccountStartFlashloan,
  PROGRAM,
  { ...FLASH_LOAN, ixsSysvar: addressOf(51) },
  { endIndex: 0n },
);
const end = encodeInstruction(lendingAccountEndFlashloan, PROGRAM, FLASH_LOAN, {});

const instructions = (maxLength: number) =>
  fc.array(
    fc
      .record({ bytes: fc.integer({ min: 9, max: 500 }), accounts: fc.integer({ min: 0, max: 20 }) })
      .map(({ bytes, accounts }) => instructionOf({ bytes, accounts: range(100, 100 + accounts) })),
    { maxLength },
  );
const cranks = fc
  .array(fc.integer({ min: 9, max: 800 }), { maxLength: 2 })
  .map((sizes) =>
    sizes.map((bytes) => ({ feeds: [addressOf(90)], instructions: [instructionOf({ bytes })], lookupTables: {} })),
  );
const plans = fc
  .record({ setup: instructions(5), refresh: instructions(3), inner: instructions(4), cleanup: instructions(1) })
  .map(({ inner, ...parts }) => planOf({ ...parts, type: 'LOOP', isSetupBound: true, action: [start, ...inner, end] }));

/** Null where it does not fit. */
function pack(...[plan, crankings, options]: Parameters<typeof packPlan>): PackedPlan | null {
  try {
    return packPlan(plan, crankings, options);
  } catch (error) {
    if (isLendingError(error, 'ACTION__TRANSACTION_EXCEEDED')) return null;
    throw error;
  }
}

/** Whether it would fit with a transaction for every instruction that may stand by itself, and those are few enough. */
function fitsApart(...[plan, crankings, options]: Parameters<typeof packPlan>): boolean {
  const fits = (all: readonly Instruction[]) =>
    measureTransaction({ type: 'LOOP', label: 'Loop', instructions: all }, options).fits;
  const alone = [...plan.setup, ...plan.refresh].map((each) => [each]);
  const acting = [...plan.action, ...plan.cleanup, tipInstruction(PAYER, PACK.tipLamports)];
  const all = [...crankings.map((crank) => crank.instructions), ...alone, acting];
  return all.length <= MAX_TRANSACTIONS && all.every(fits);
}

describe('a plan whose setup is bound, packed', () => {
  it.each([0, 1] as const)('is all there, in order, and lands with its action or not at all: version %i', (version) => {
    const options = { ...PACK, version };
    const seen = { sequential: 0, bundle: 0, refused: 0 };
    const check = (plan: ReturnType<typeof planOf>, crankings: Parameters<typeof packPlan>[1]) => {
      const packed = pack(plan, crankings, options);
      seen[packed?.submit ?? 'refused'] += 1;
      if (packed === null) {
        expect(fitsApart(plan, crankings, options)).toBe(false);
        return;
      }
      const { drafts, submit, actionIndex, tipLamports } = packed;
      const own = drafts.filter(({ type }) => type !== 'CRANK');
      const all: readonly Instruction[] = [...plan.setup, ...plan.refresh, ...plan.action, ...plan.cleanup];
      const packedAll = own.flatMap((draft) => draft.instructions);
      expect(packedAll.slice(0, all.length)).toEqual(all);
      expect(packedAll.length - all.length).toBe(submit === 'bundle' ? 1 : 0);
      expect(submit === 'bundle').toBe(own.length > 1);
      expect(tipLamports).toBe(submit === 'bundle' ? PACK.tipLamports : 0n);
      expect(actionIndex).toBe(drafts.length - 1);
      expect(drafts.at(-1)?.instructions).toEqual(expect.arrayContaining([...plan.action]));
      expect(drafts.length).toBeLessThanOrEqual(5);
      for (const draft of drafts)
        compileTransaction(draft, { ...options, computeUnitLimit: 1, blockhash: ANY_BLOCKHASH });
    };
    fc.assert(fc.property(plans, cranks, check), { numRuns: 150, seed: 7 });
    if (version === 0) expect(Math.min(...Object.values(seen))).toBeGreaterThan(10);
  });
});
