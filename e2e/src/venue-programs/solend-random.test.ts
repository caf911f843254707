import { createLiteSvmEngine, createModelEngine } from '@lending/localnet';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { Chain } from '../real-program/chain.ts';
import { accountDifferences } from './account-differences.ts';
import { randomSteps } from './solend-random-steps.ts';
import { runStep } from './solend-steps.ts';
import { START_TIME, worldAccounts } from './solend-world.ts';

const { VENUE_ELF_FOLDER: folder = '' } = process.env;
/** Sequences of a hundred steps or so. `RANDOM_RUNS=1000 RANDOM_SEED=7` looks further, `RANDOM_REPORT=1` counts what happened. */
const RUNS = Number(process.env.RANDOM_RUNS ?? 30);
const SEED = Number(process.env.RANDOM_SEED ?? 20_261_121);

describe.skipIf(folder === '')('random sequences beside Save’s program (needs VENUE_ELF_FOLDER)', async () => {
  const start = { accounts: worldAccounts(), unixTimestamp: START_TIME };
  const elf = folder === '' ? null : new Chain(await createLiteSvmEngine({ folder }), start);
  const model = new Chain(createModelEngine(), start);
  const outcomes = new Map<string, number>();

  afterAll(() => {
    if (process.env.RANDOM_REPORT === undefined) return;
    const rows = [...outcomes].sort(([, left], [, right]) => right - left);
    console.log(rows.map(([outcome, count]) => `${count}\t${outcome}`).join('\n'));
  });

  it('come to the same errors and bytes', () => {
    if (elf === null) throw new TypeError('VENUE_ELF_FOLDER is not set');
    fc.assert(
      fc.property(randomSteps, (steps) => {
        elf.reset(start);
        model.reset(start);
        for (const step of steps) {
          const left = runStep(elf, step);
          const right = runStep(model, step);
          const outcome = `${step.kind}: ${right.error}`;
          outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
          const told = [...left.logs, '---', ...right.logs].join('\n');
          expect(right.error, told).toBe(left.error);
          expect(accountDifferences(elf, model), told).toEqual([]);
        }
      }),
      { numRuns: RUNS, seed: SEED, endOnFailure: process.env.RANDOM_SHRINK === undefined },
    );
  });
});
