import { LendingError } from '@lending/errors';
import { JITO_TIP_ACCOUNTS, SYSTEM_PROGRAM } from '@lending/programs';
import type { Instruction } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { type PackedPlan, packPlan } from './pack-plan.ts';
import { addressOf, instructionOf, OPTIONS, planOf } from './testing-instructions.ts';

const PACK = { ...OPTIONS, tipLamports: 10_000n };
const crank = {
  feeds: [addressOf(90)],
  instructions: [instructionOf({ accounts: [90], bytes: 99 })],
  lookupTables: {},
};

/** An instruction that can be told from others by its length. */
const of = (bytes: number) => instructionOf({ bytes });
const lengths = ({ drafts }: PackedPlan) =>
  drafts.map(({ instructions }) => instructions.map((instruction: Instruction) => instruction.data?.length));
const types = ({ drafts }: PackedPlan) => drafts.map(({ type }) => type);

describe('packPlan', () => {
  it('keeps all in one transaction, in order, where it fits', () => {
    const packed = packPlan(
      planOf({ setup: [of(11)], refresh: [of(12)], action: [of(13)], cleanup: [of(14)] }),
      [],
      PACK,
    );
    expect(lengths(packed)).toEqual([[11, 12, 13, 14]]);
    expect(packed).toMatchObject({ submit: 'sequential', actionIndex: 0, tipLamports: 0n });
    expect(packed.drafts[0]).toMatchObject({ type: 'DEPOSIT', label: 'Deposit 1 SOL' });
  });

  it('puts cranks before the action, each in a transaction of its own', () => {
    const two = { ...crank, feeds: [addressOf(90), addressOf(91)] };
    const packed = packPlan(planOf({ action: [of(13)] }), [crank, two], PACK);
    expect(types(packed)).toEqual(['CRANK', 'CRANK', 'DEPOSIT']);
    expect(packed).toMatchObject({ submit: 'sequential', actionIndex: 2 });
    expect(packed.drafts.map(({ label }) => label).slice(0, 2)).toEqual([
      'Update an oracle price',
      'Update 2 oracle prices',
    ]);
  });

  it('moves the setup into a transaction before, where it does not fit', () => {
    const plan = planOf({ setup: [of(600)], refresh: [of(300)], action: [of(400)], cleanup: [of(14)] });
    const packed = packPlan(plan, [crank], PACK);
    expect(types(packed)).toEqual(['SETUP', 'CRANK', 'DEPOSIT']);
    expect(lengths(packed)).toEqual([[600], [99], [300, 400, 14]]);
    expect(packed).toMatchObject({ submit: 'sequential', actionIndex: 2, tipLamports: 0n });
  });

  it('is always of the bundle that a plan stands in with others, whose last transaction alone pays the tip', () => {
    const plan = planOf({ setup: [of(11)], refresh: [of(12)], action: [of(13)], cleanup: [of(14)] });
    const early = packPlan(plan, [], { ...PACK, inBundle: { before: 0, isLast: false } });
    expect(lengths(early)).toEqual([[11, 12, 13, 14]]);
    expect(early).toMatchObject({ submit: 'bundle', tipLamports: 0n });
    const late = packPlan(plan, [crank], { ...PACK, inBundle: { before: 3, isLast: true } });
    expect(lengths(late)).toEqual([[99], [11, 12, 13, 14, 12]]);
    expect(late).toMatchObject({ submit: 'bundle', actionIndex: 1, tipLamports: 10_000n });
    const apart = planOf({ isSetupBound: true, setup: [of(600)], action: [of(700)] });
    expect(lengths(packPlan(apart, [], { ...PACK, inBundle: { before: 0, isLast: false } }))).toEqual([[600], [700]]);
    expect(() => packPlan(plan, [crank], { ...PACK, inBundle: { before: 4, isLast: true } })).toThrow(
      expect.objectContaining({
        code: 'ACTION__TRANSACTION_EXCEEDED',
        context: expect.objectContaining({ transactions: 6, max_transactions: 5 }),
      }),
    );
  });

  it('moves the refreshes too, into a bundle with the tip in its last transaction', () => {
    const plan = planOf({ setup: [of(11)], refresh: [of(700)], action: [of(600)], cleanup: [of(14)] });
    const packed = packPlan(plan, [crank], PACK);
    expect(types(packed)).toEqual(['CRANK', 'SETUP', 'DEPOSIT']);
    expect(lengths(packed)).toEqual([[99], [11, 700], [600, 14, 12]]);
    expect(packed).toMatchObject({ submit: 'bundle', actionIndex: 2, tipLamports: 10_000n });
    const tip = packed.drafts.at(-1)?.instructions.at(-1);
    expect(tip).toMatchObject({
      programAddress: SYSTEM_PROGRAM,
      data: Uint8Array.of(2, 0, 0, 0, 16, 39, 0, 0, 0, 0, 0, 0),
    });
    expect(JITO_TIP_ACCOUNTS).toContain(tip?.accounts?.[1]?.address);
    const drafts = packed.drafts.slice(0, -1).flatMap(({ instructions }) => instructions);
    expect(drafts.map(({ programAddress }) => programAddress)).not.toContain(SYSTEM_PROGRAM);
  });

  it('keeps a bound setup with its action in one bundle, the refreshes in the action’s transaction where they fit', () => {
    const parts = { setup: [of(600)], refresh: [of(300)], action: [of(400)], cleanup: [of(14)], isSetupBound: true };
    const packed = packPlan(planOf(parts), [crank], PACK);
    expect(types(packed)).toEqual(['SETUP', 'CRANK', 'DEPOSIT']);
    expect(lengths(packed)).toEqual([[600], [99], [300, 400, 14, 12]]);
    expect(packed).toMatchObject({ submit: 'bundle', actionIndex: 2, tipLamports: 10_000n });
    const whole = packPlan(planOf({ ...parts, setup: [of(11)] }), [crank], PACK);
    expect(lengths(whole)).toEqual([[99], [11, 300, 400, 14]]);
    expect(whole).toMatchObject({ submit: 'sequential', tipLamports: 0n });
  });

  it('fills as many transactions before the action as it takes', () => {
    const plan = planOf({ setup: [of(600), of(300)], refresh: [of(500), of(400), of(900)], action: [of(600)] });
    const packed = packPlan(plan, [], PACK);
    expect(lengths(packed)).toEqual([[600, 300], [500, 400], [900], [600, 12]]);
    expect(packed.submit).toBe('bundle');
  });

  it('keeps together in version 1 what version 0 spreads', () => {
    const plan = planOf({ setup: [of(600), of(300)], refresh: [of(500), of(400), of(900)], action: [of(600)] });
    expect(lengths(packPlan(plan, [], { ...PACK, version: 1 }))).toEqual([[600, 300, 500, 400, 900, 600]]);
  });

  it('has a pulse right behind the action, with its own refreshes, where it fits', () => {
    const pulse = { refresh: [of(12), of(15)], instruction: of(16) };
    const plan = planOf({ setup: [of(11)], refresh: [of(12)], action: [of(13)], pulse, cleanup: [of(14)] });
    const packed = packPlan(plan, [], PACK);
    expect(lengths(packed)).toEqual([[11, 12, 15, 13, 16, 14]]);
    expect(packed).toMatchObject({ isPulsed: true, actionIndex: 0 });
    expect(packPlan({ ...plan, pulse: null }, [], PACK)).toMatchObject({ isPulsed: false });
  });

  it('moves the setup ahead for it, and leaves it out where even the refreshes would have to go', () => {
    const pulse = { refresh: [of(300)], instruction: of(200) };
    const plan = planOf({ setup: [of(500)], refresh: [of(12)], action: [of(400)], pulse, cleanup: [of(14)] });
    expect(lengths(packPlan(plan, [], PACK))).toEqual([[500], [300, 400, 200, 14]]);
    const large = packPlan({ ...plan, pulse: { ...pulse, refresh: [of(700)] } }, [], PACK);
    expect(lengths(large)).toEqual([[500, 12, 400, 14]]);
    expect(large).toMatchObject({ isPulsed: false, submit: 'sequential' });
  });

  it('leaves it out where it alone would part wrapped SOL from the action', () => {
    const pulse = { refresh: [of(300)], instruction: of(200) };
    const wrap = { ...of(500), programAddress: SYSTEM_PROGRAM };
    const plan = planOf({ setup: [wrap], refresh: [of(12)], action: [of(400)], pulse, cleanup: [of(14)] });
    const packed = packPlan(plan, [], PACK);
    expect(lengths(packed)).toEqual([[500, 12, 400, 14]]);
    expect(packed).toMatchObject({ isPulsed: false });
    const apart = packPlan({ ...plan, setup: [{ ...wrap, data: new Uint8Array(900) }] }, [], PACK);
    expect(lengths(apart)).toEqual([[900], [300, 400, 200, 14]]);
  });

  it('refuses an action that is too large by itself, naming the bytes', () => {
    const run = () => packPlan(planOf({ refresh: [of(100)], action: [of(1_300)] }), [], { ...PACK, balances: 12 });
    expect(run).toThrow(LendingError);
    expect(run).toThrow(
      expect.objectContaining({
        code: 'ACTION__TRANSACTION_EXCEEDED',
        message: expect.stringContaining('in an account of 12 balances'),
        context: expect.objectContaining({
          bytes_over: expect.any(Number),
          accounts: 5,
          max_bytes: 1_232,
          balances: 12,
        }),
      }),
    );
  });

  it('refuses more than five transactions', () => {
    const refresh = Array.from({ length: 5 }, () => of(900));
    const run = () => packPlan(planOf({ refresh, action: [of(600)] }), [], { ...PACK, balances: 12 });
    expect(run).toThrow(
      expect.objectContaining({
        code: 'ACTION__TRANSACTION_EXCEEDED',
        context: expect.objectContaining({ transactions: 6, balances: 12 }),
      }),
    );
    expect(packPlan(planOf({ refresh: refresh.slice(1), action: [of(600)] }), [], PACK).drafts).toHaveLength(5);
  });
});
