import { LendingError } from '@lending/errors';
import type { ActionPlan, Crank, FeedToCrank, PackedPlan } from '@lending/transactions';
import { describe, expect, it } from 'vitest';
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
