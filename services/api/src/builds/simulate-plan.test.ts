import { LendingError } from '@lending/errors';
import type { ActionPlan, Crank, FeedToCrank, LimitMemory, PackedPlan } from '@lending/transactions';
import type { Instruction } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import type { BuildRequest } from './build-request.ts';
import { tellStepsOf } from './build-steps.ts';
import { costsOf } from './plan-costs.ts';
import { cranksOf, type PlanForm, type SimulatedPlan, simulateBestForm } from './simulate-plan.ts';

type Ends = 'passed' | 'failed' | 'too_large';

const crank = (...feeds: string[]) => ({ feeds }) as unknown as Crank;
const PULSED = { pulse: { refresh: [], instruction: {} } } as unknown as ActionPlan;
const BARE: PlanForm = { plan: { ...PULSED, pulse: null }, cranks: [] };

/** What comes of an action with all that sets premiums, and without; `hasRoom` says whether a pulse fits. */
function simulating(ends: readonly [whole: Ends, bare: Ends], whole: PlanForm, hasRoom = true) {
  const asked: PlanForm[] = [];
  const end = (form: PlanForm) => ends[form === BARE ? 1 : 0];
  const pack = (form: PlanForm) => {
    if (end(form) === 'too_large') throw new LendingError('ACTION__TRANSACTION_EXCEEDED');
    return { isPulsed: hasRoom && form.plan.pulse !== null } as PackedPlan;
  };
  const simulate = async (form: PlanForm, packed: PackedPlan) => {
    asked.push(form);
    return { packed, simulated: { waves: 2, outcome: { kind: end(form) } } } as unknown as SimulatedPlan;
  };
  return { asked, run: () => simulateBestForm(whole, BARE, pack, simulate) };
}

describe('simulateBestForm', () => {
  const whole = { plan: PULSED, cranks: [crank('one')] };

  it('keeps a pulse that passes', async () => {
    const { asked, run } = simulating(['passed', 'passed'], whole);
    expect(await run()).toMatchObject({ packed: { isPulsed: true }, simulated: { waves: 2 } });
    expect(asked).toEqual([whole]);
  });

  it('leaves one out that fails, and says what the action is without it', async () => {
    const { asked, run } = simulating(['failed', 'passed'], whole);
    const found = await run();
    expect(found).toMatchObject({ packed: { isPulsed: false }, simulated: { waves: 4, outcome: { kind: 'passed' } } });
    expect(asked).toEqual([whole, BARE]);
  });

  it('asks for no crank of premiums where there is no room for it', async () => {
    const { asked, run } = simulating(['passed', 'passed'], whole, false);
    expect(await run()).toMatchObject({ packed: { isPulsed: false }, simulated: { waves: 2 } });
    expect(asked).toEqual([BARE]);
  });

  it('leaves out cranks of premiums where an action that has no pulse fails', async () => {
    const withdrawal = { plan: BARE.plan, cranks: [crank('one')] };
    const { asked, run } = simulating(['failed', 'passed'], withdrawal);
    expect(await run()).toMatchObject({ simulated: { waves: 4, outcome: { kind: 'passed' } } });
    expect(asked).toEqual([withdrawal, BARE]);
  });

  it('asks once for what fails and has nothing to leave out', async () => {
    const { asked, run } = simulating(['failed', 'failed'], { ...BARE });
    expect((await run()).simulated).toMatchObject({ waves: 2, outcome: { kind: 'failed' } });
    expect(asked).toHaveLength(1);
  });

  it('leaves out cranks of premiums that make too many transactions', async () => {
    const withdrawal = { plan: BARE.plan, cranks: [crank('one')] };
    const { asked, run } = simulating(['too_large', 'passed'], withdrawal);
    expect(await run()).toMatchObject({ simulated: { waves: 2, outcome: { kind: 'passed' } } });
    expect(asked).toEqual([BARE]);
  });

  it('refuses what is too large without it, too', async () => {
    const { asked, run } = simulating(['too_large', 'too_large'], whole);
    await expect(run()).rejects.toMatchObject({ code: 'ACTION__TRANSACTION_EXCEEDED' });
    expect(asked).toHaveLength(0);
  });
});

describe('cranksOf', () => {
  it('keeps what has any of the feeds', () => {
    const cranks = [crank('one', 'two'), crank('three')];
    expect(cranksOf(cranks, [{ address: 'two' } as FeedToCrank])).toEqual([cranks[0]]);
    expect(cranksOf(cranks, [])).toEqual([]);
  });
});

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

function heard(kind: BuildRequest['kind']) {
  const told: (readonly [number, number])[] = [];
  const words: string[] = [];
  const tell = tellStepsOf({ kind } as BuildRequest, (done, total, next) => {
    told.push([done, total]);
    words.push(next);
  });
  return { tell, told, words };
}

describe('tellStepsOf', () => {
  it('counts the steps of a plain action, which swaps nothing', () => {
    const { tell, told, words } = heard('deposit');
    for (const step of ['read', 'crank', 'simulate', 'judge'] as const) tell(step);
    expect(told).toEqual([
      [0, 4],
      [1, 4],
      [2, 4],
      [3, 4],
    ]);
    expect(new Set(words).size).toBe(4);
  });

  it('tells a second try of a loop only once it is further than the first', () => {
    const { tell, told } = heard('loop');
    for (const step of ['read', 'crank', 'quote', 'simulate', 'read', 'crank', 'quote', 'simulate', 'judge'] as const) {
      tell(step);
    }
    expect(told.map(([done]) => done)).toEqual([0, 1, 2, 3, 4]);
    expect(told[0]?.[1]).toBe(5);
  });
});
