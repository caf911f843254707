import { createLiteSvmEngine, createModelEngine } from '@lending/localnet';
import { KAMINO_FARMS_PROGRAM } from '@lending/programs';
import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { Chain } from '../real-program/chain.ts';
import { accountDifferences } from './account-differences.ts';
import { bridgeObligations, bridgeReserves, inTodaysErrors, tokensPerCToken, whereBothAgree } from './kamino-bridge.ts';
import { randomSteps } from './kamino-random-steps.ts';
import { KAMINO_SCENARIOS, outcomeOf } from './kamino-scenarios.ts';
import { runStep, type Step, type StepResult } from './kamino-steps.ts';
import { CODECS, poolOf, START_TIME, USERS, worldAccounts } from './kamino-world.ts';

/** A folder of `<program id>.so`, for klend. */
const { VENUE_ELF_FOLDER: folder = '' } = process.env;
const isMissing = folder === '';
/** `RANDOM_RUNS=2000 RANDOM_SEED=7` looks further, `RANDOM_REPORT=1` counts what happened. */
const RUNS = Number(process.env.RANDOM_RUNS ?? 60);
const SEED = Number(process.env.RANDOM_SEED ?? 20_261_121);

/** The farms program is named and, where no reserve has a farm, not called: some executable account will do. */
const farms = { lamports: 1n, owner: KAMINO_FARMS_PROGRAM, data: new Uint8Array(), executable: true };
const start = { accounts: worldAccounts(), unixTimestamp: START_TIME };
const withFarms = { ...start, accounts: new Map([...start.accounts, [KAMINO_FARMS_PROGRAM, farms]]) };

describe('the model of klend, on its own', () => {
  const model = new Chain(createModelEngine(), withFarms);

  it.each(KAMINO_SCENARIOS)('$name', ({ steps }) => {
    model.reset(withFarms);
    for (const [step, expected] of steps) {
      const { error, logs } = runStep(model, step);
      expect(error?.reason ?? null, `${describeStep(step)}\n${logs.join('\n')}`).toBe(outcomeOf(expected));
    }
  });

  it('notes the second of a refresh where a reserve counts them, and accrues from it', () => {
    model.reset(withFarms);
    const { reserve } = poolOf('usd');
    const read = () => CODECS.reserve.decode(model.data(reserve));
    const refresh = { kind: 'send', ops: [{ op: 'refresh', reserve: 'usd' }] } as const;
    runStep(model, { kind: 'setReserve', reserve: 'usd', fields: { config: { interestRateBasis: 1 } } });
    const before = read().liquidity.borrowedAmountSf;
    runStep(model, refresh);
    expect(read().lastUpdate.timestamp).toBe(Number(START_TIME));
    expect(read().liquidity.borrowedAmountSf).toBe(before);
    model.passTime(9n);
    runStep(model, refresh);
    expect(read().lastUpdate.timestamp).toBe(Number(START_TIME) + 9);
    expect(read().liquidity.borrowedAmountSf).toBeGreaterThan(before);
  });

  const unneighboured = KAMINO_SCENARIOS.filter(({ isAboutNeighbours }) => isAboutNeighbours !== true);
  it.each(unneighboured)('does the same in the newer forms: $name', ({ steps }) => {
    const newer = new Chain(createModelEngine(), withFarms);
    model.reset(withFarms);
    for (const [step] of steps) {
      expect(runStep(newer, inNewerForms(step)).error).toEqual(runStep(model, step).error);
      expect(accountDifferences(newer, model), describeStep(step)).toEqual([]);
    }
  });
});

function inNewerForms(step: Step): Step {
  if (step.kind !== 'send') return step;
  const newer = { deposit: 'depositV2', withdraw: 'withdrawV2' } as const;
  const ops = step.ops.map((op) => (op.op === 'deposit' || op.op === 'withdraw' ? { ...op, op: newer[op.op] } : op));
  return { ...step, ops };
}

describe.skipIf(isMissing)('klend and its model (needs VENUE_ELF_FOLDER)', async () => {
  const elf = new Chain(isMissing ? createModelEngine() : await createLiteSvmEngine({ folder }), start);
  const model = new Chain(createModelEngine(), start);
  const outcomes = new Map<string, number>();

  beforeEach(() => {
    elf.reset(start);
    model.reset(start);
  });

  afterAll(() => {
    if (process.env.RANDOM_REPORT === undefined) return;
    const rows = [...outcomes].sort(([, left], [, right]) => right - left);
    console.log(rows.map(([outcome, count]) => `${count}\t${outcome}`).join('\n'));
  });

  /** Does a step on both chains and expects the same of them: the error and every byte, but for what the ELF's age explains. */
  function both(given: Step): StepResult {
    const step = whereBothAgree(model, given);
    const tokensBefore = tokensPerCToken(model);
    const left = runStep(elf, step);
    const right = runStep(model, step);
    const told = [describeStep(step), ...left.logs, '---', ...right.logs].join('\n');
    expect(right.error, told).toEqual(inTodaysErrors(left.error, right.error));
    const apart = bridgeObligations(elf, model, tokensBefore);
    bridgeReserves(elf, model);
    expect([...apart, ...accountDifferences(elf, model)], told).toEqual([]);
    const what = step.kind === 'send' ? (step.ops.at(-1)?.op ?? 'nothing') : step.kind;
    const outcome = `${what}: ${left.error?.reason ?? 'done'}`;
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    return right;
  }

  it.each(KAMINO_SCENARIOS.filter(({ isToday }) => isToday !== true))('agree: $name', ({ steps }) => {
    for (const [step, expected] of steps) expect(both(step).error?.reason ?? null).toBe(outcomeOf(expected));
  });

  it('agree over random sequences', () => {
    fc.assert(
      fc.property(randomSteps, (steps) => {
        elf.reset(start);
        model.reset(start);
        for (const user of USERS) {
          both({
            kind: 'send',
            ops: [
              { op: 'initMetadata', user },
              { op: 'initObligation', user },
            ],
          });
        }
        for (const step of steps) both(step);
      }),
      { numRuns: RUNS, seed: SEED, endOnFailure: process.env.RANDOM_SHRINK === undefined },
    );
  });
});

function describeStep(step: object): string {
  return JSON.stringify(step, (_key, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));
}
