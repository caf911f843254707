import { createLiteSvmEngine, createModelEngine } from '@lending/localnet';
import { describe, expect, it } from 'vitest';
import { Chain } from '../real-program/chain.ts';
import { accountDifferences } from './account-differences.ts';
import { SCENARIOS } from './solend-scenarios/all.ts';
import { runStep } from './solend-steps.ts';
import { START_TIME, worldAccounts } from './solend-world.ts';

const { VENUE_ELF_FOLDER: folder = '' } = process.env;
const start = { accounts: worldAccounts(), unixTimestamp: START_TIME };

describe('the model of Save’s program, on its own', () => {
  const model = new Chain(createModelEngine(), start);

  it.each(SCENARIOS)('$name', ({ steps }) => {
    model.reset(start);
    for (const [step, expected] of steps) {
      const { error, logs } = runStep(model, step);
      expect(error, `${describeStep(step)}\n${logs.join('\n')}`).toBe(expected);
    }
  });
});

describe.skipIf(folder === '')('the model of Save’s program beside the program (needs VENUE_ELF_FOLDER)', async () => {
  const elf = folder === '' ? null : new Chain(await createLiteSvmEngine({ folder }), start);
  const model = new Chain(createModelEngine(), start);

  it.each(SCENARIOS)('$name', ({ steps }) => {
    if (elf === null) throw new TypeError('VENUE_ELF_FOLDER is not set');
    elf.reset(start);
    model.reset(start);
    for (const [step, expected] of steps) {
      const left = runStep(elf, step);
      const right = runStep(model, step);
      const told = [describeStep(step), ...left.logs, '---', ...right.logs].join('\n');
      expect({ elf: left.error, model: right.error }, told).toEqual({ elf: expected, model: expected });
      expect(accountDifferences(elf, model), told).toEqual([]);
    }
  });
});

function describeStep(step: object): string {
  return JSON.stringify(step, (_key, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));
}
