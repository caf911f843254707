import { createModelEngine } from '@lending/localnet';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { aimStep } from './aim-step.ts';
import { isBeyondFullUse, isOtherwiseLater, versionThatChanged } from './bridges/version-differences.ts';
import { Chain, type ChainState } from './chain.ts';
import { findDifferences } from './compare.ts';
import { edgeByDomain } from './domain-edge.ts';
import { loadFromEnvironment } from './elf.ts';
import { START_TIME } from './market.ts';
import { randomOpening, randomSteps } from './random-steps.ts';
import { isEdge, runStep } from './run-step.ts';
import { OPENING } from './scenarios/opening.ts';
import { elfSide, modelSide } from './sides.ts';
import { startAccounts } from './start.ts';
import type { Step } from './steps.ts';

const { program, isMissing } = await loadFromEnvironment();
/** Sequences of 15 to 40 steps. `RANDOM_RUNS=1000 RANDOM_SEED=7` looks further, `RANDOM_REPORT=1` counts what happened. */
const RUNS = Number(process.env.RANDOM_RUNS ?? 40);
const SEED = Number(process.env.RANDOM_SEED ?? 20_261_121);
/** Units between two edges that rounding makes of one. Four were seen. */
const MOST_APART = 16n;

describe.skipIf(isMissing)('random sequences beside the real program (needs MARGINFI_ELF)', () => {
  const start = { accounts: startAccounts(), unixTimestamp: START_TIME };
  const chain = new Chain(program.engine, start);
  const elf = program.isOld ? elfSide(chain, new Set()) : modelSide(chain);
  const model = modelSide(new Chain(createModelEngine(), start));
  const outcomes = new Map<string, number>();

  function open(): readonly [ChainState, ChainState] {
    for (const [step] of OPENING) for (const side of [elf, model]) runStep(side, step);
    return [elf.chain.state, model.chain.state];
  }

  afterAll(() => {
    if (process.env.RANDOM_REPORT === undefined) return;
    const rows = [...outcomes].sort(([, left], [, right]) => right - left);
    console.log(rows.map(([outcome, count]) => `${count}\t${outcome}`).join('\n'));
  });

  function count(step: Step, name: string): void {
    const what = step.kind === 'send' ? step.ops.map(({ op }) => op).join('+') : step.kind;
    const outcome = step.kind === 'send' && step.ops.length > 1 ? `several: ${name}` : `${what}: ${name}`;
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }

  it('come to the same errors, edges and bytes', () => {
    const opened = open();
    fc.assert(
      fc.property(randomOpening, randomSteps, (opening, steps) => {
        elf.chain.reset(opened[0]);
        model.chain.reset(opened[1]);
        for (const given of [...opening, ...steps]) {
          const step = aimStep(model.chain, given);
          if (program.isOld && isOtherwiseLater(model.chain, step)) continue;
          if (program.isOld && isBeyondFullUse(model.chain)) return;
          const promised = step.kind === 'edge' ? edgeByDomain(model.chain, step) : null;
          const keepsPromise = step.kind !== 'edge' || promised === null || isEdge(model, step, promised);
          const left = runStep(elf, step);
          const right = runStep(model, step);
          count(step, right.refusal?.name ?? (right.edge?.amount === 0n ? `none, ${right.edge.next}` : 'done'));
          const differences = findDifferences(elf, model, left, right);
          const changed =
            program.isOld && differences.length > 0 ? versionThatChanged(step, left, right, elf.chain) : null;
          if (changed !== null) return count(step, `changed in ${changed}`);
          const logs = [...left.logs, '---', ...right.logs].join('\n');
          expect(differences, logs).toEqual([]);
          const found = right.edge?.amount ?? 0n;
          expect(keepsPromise, `${promised} is promised, ${found} passes`).toBe(true);
          const apart = promised === null ? 0n : found - promised;
          expect(apart <= MOST_APART && apart >= -MOST_APART, `${promised} is promised, ${found} passes`).toBe(true);
        }
      }),
      { numRuns: RUNS, seed: SEED, endOnFailure: process.env.RANDOM_SHRINK === undefined },
    );
  });
});
