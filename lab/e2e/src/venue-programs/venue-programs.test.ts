import { type AccountState, createLiteSvmEngine, createModelEngine } from '@lending/localnet';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Chain } from '../real-program/chain.ts';
import { runStep, type Scenario, type Step, type StepResult, type Venue } from './venue.ts';
import { VENUES } from './venues.ts';

/** A folder of `<program id>.so`, for klend, Save, and JupLend's Earn program and its liquidity layer. */
const { VENUE_ELF_FOLDER: folder = '' } = process.env;
/** `RANDOM_RUNS=2000 RANDOM_SEED=7` looks further. */
const RUNS = process.env.RANDOM_RUNS === undefined ? null : Number(process.env.RANDOM_RUNS);
const SEED = Number(process.env.RANDOM_SEED ?? 20_261_121);

const elfEngine = folder === '' ? null : await createLiteSvmEngine({ folder });

describe.each(VENUES)('the model of $name', (venue) => {
  const model = new Chain(createModelEngine(), venue.start);

  it.each(venue.scenarios)('$name', (scenario) => {
    model.reset(venue.start);
    for (const [step, expected] of stepsOf(venue, scenario)) {
      const { error, logs } = runStep(model, step);
      expect(error?.reason ?? null, [step.text, ...logs].join('\n')).toBe(expected);
    }
  });
});

describe.skipIf(elfEngine === null).each(VENUES)('$name beside its model (needs VENUE_ELF_FOLDER)', (venue) => {
  const elf = new Chain(elfEngine ?? createModelEngine(), venue.start);
  const model = new Chain(createModelEngine(), venue.start);

  /** Does a step on both chains and expects the same of them: the error, what is returned, and every byte. */
  function both(step: Step): StepResult {
    const bridged = venue.bridge?.(elf, model);
    const left = runStep(elf, step, venue.olderForms);
    const right = runStep(model, step);
    const { result, differences } = bridged?.(left, right) ?? { result: left, differences: [] };
    const text = [step.text, ...left.logs, '---', ...right.logs].join('\n');
    expect({ error: right.error, returned: right.returned }, text).toEqual({
      error: result.error,
      returned: result.returned,
    });
    expect([...differences, ...accountDifferences(elf, model)], text).toEqual([]);
    return right;
  }

  function reset(): void {
    elf.reset(venue.start);
    model.reset(venue.start);
  }

  it.each(venue.scenarios.filter(({ isToday }) => isToday !== true))('agrees: $name', (scenario) => {
    reset();
    for (const [step, expected] of stepsOf(venue, scenario)) {
      expect(both(step).error?.reason ?? null, step.text).toBe(expected);
    }
  });

  it('agrees over random sequences', () => {
    fc.assert(
      fc.property(venue.random.map(readable), (steps) => {
        reset();
        for (const step of steps) both(step);
      }),
      { numRuns: RUNS ?? venue.runs, seed: SEED, endOnFailure: process.env.RANDOM_SHRINK === undefined },
    );
  });
});

/** Shows a sequence that fails by its texts. */
function readable(steps: readonly Step[]): readonly Step[] {
  return Object.assign([...steps], { [fc.toStringMethod]: () => steps.map(({ text }) => text).join('\n') });
}

function stepsOf({ errors }: Venue, { steps }: Scenario) {
  return steps.map((step): readonly [Step, string | number | null] => {
    if (!isRefusal(step)) return [step, null];
    const [done, error] = step;
    return [done, typeof error === 'string' ? (errors[error] ?? error) : error];
  });
}

/** The accounts that two chains hold differently, with the first byte that differs. */
function accountDifferences(elf: Chain, model: Chain): readonly string[] {
  const left = elf.state.accounts;
  const right = model.state.accounts;
  return [...new Set([...left.keys(), ...right.keys()])].flatMap((address) => {
    const difference = differenceOf(left.get(address), right.get(address));
    return difference === null ? [] : [`${address}: ${difference}`];
  });
}

function differenceOf(elf: AccountState | undefined, model: AccountState | undefined): string | null {
  if (elf === model) return null;
  if (elf === undefined || model === undefined) return `only the ${elf === undefined ? 'model' : 'ELF'} has it`;
  if (elf.owner !== model.owner) return `the ELF gives it to ${elf.owner}, the model to ${model.owner}`;
  if (elf.lamports !== model.lamports) return `${elf.lamports} lamports by the ELF, ${model.lamports} by the model`;
  if (elf.data.length !== model.data.length)
    return `${elf.data.length} bytes by the ELF, ${model.data.length} by the model`;
  const at = elf.data.findIndex((byte, index) => byte !== model.data[index]);
  if (at < 0) return null;
  const show = (data: Uint8Array) => Buffer.from(data.subarray(at, at + 32)).toString('hex');
  return `from byte ${at} ${show(elf.data)} by the ELF, ${show(model.data)} by the model`;
}

function isRefusal(step: Scenario['steps'][number]): step is readonly [Step, string | number] {
  return Array.isArray(step);
}
