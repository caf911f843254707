import { createModelEngine } from '@lending/localnet';
import { afterAll, describe, expect, it } from 'vitest';
import { bootstrap } from './bootstrap.ts';
import { BRIDGES } from './bridges/all.ts';
import { isSameError } from './bridges/error-names.ts';
import { Chain, type ChainState } from './chain.ts';
import { byteDifferences, findDifferences, resultDifferences } from './compare.ts';
import { edgeByDomain } from './domain-edge.ts';
import { loadFromEnvironment } from './elf.ts';
import { fairDifferences } from './fair-bytes.ts';
import { madeMarket } from './made-market.ts';
import { START_TIME } from './market.ts';
import { runStep } from './run-step.ts';
import { SCENARIOS } from './scenarios/all.ts';
import { TODAY } from './scenarios/today.ts';
import { elfSide, modelSide, type Side } from './sides.ts';
import { startAccounts, withCurves } from './start.ts';
import type { Scenario } from './steps.ts';
import { worldAccounts } from './world.ts';

const { program, isMissing } = await loadFromEnvironment();
const used = new Set<string>();

interface Twins {
  readonly elf: Side;
  readonly model: Side;
  readonly start: ChainState;
}

/** The old program bootstraps itself; a newer one starts from the accounts our codecs write, and needs no bridge. */
function createTwins(): Twins {
  const chain = new Chain(program.engine, { accounts: worldAccounts(), unixTimestamp: START_TIME });
  if (program.isOld && !isMissing) bootstrap(chain);
  if (program.isOld) for (const name of ['error-names', 'feed-id', 'seven-point-curve']) used.add(name);
  const accounts = program.isOld ? withCurves(chain.state.accounts) : startAccounts();
  const start = { accounts, unixTimestamp: START_TIME };
  chain.reset(start);
  return {
    elf: program.isOld ? elfSide(chain, used) : modelSide(chain),
    model: modelSide(new Chain(createModelEngine(), start)),
    start,
  };
}

describe.skipIf(isMissing)('the model beside the real program (needs MARGINFI_ELF)', () => {
  const { elf, model, start } = createTwins();

  afterAll(() => {
    const lines = [...used].sort().map((name) => `  ${name}: ${BRIDGES[name]}`);
    console.log(['Bridges between the ELF and today’s program that were used:', ...lines].join('\n'));
  });

  it.runIf(program.isOld)('sets up with its own admin instructions the very accounts our codecs write', () => {
    for (const [address, made] of madeMarket()) {
      const chain = new Chain(program.engine, { accounts: worldAccounts(), unixTimestamp: START_TIME });
      bootstrap(chain);
      expect(fairDifferences(chain.account(address), made), address).toEqual([]);
    }
  });

  it.each(SCENARIOS)('agrees with it: $name', ({ steps }) => compareOn(steps));

  it.skipIf(program.isOld).each(TODAY)('agrees with it: $name (not in the program MARGINFI_ELF names)', ({ steps }) =>
    compareOn(steps),
  );

  function compareOn(steps: Scenario['steps']): void {
    elf.chain.reset(start);
    model.chain.reset(start);
    let together = true;
    for (const [step, expected, difference] of steps) {
      const promised = step.kind === 'edge' ? edgeByDomain(model.chain, step) : null;
      const right = runStep(model, step);
      expect(right.refusal?.name ?? null, right.logs.join('\n')).toBe(expected);
      if (promised !== null) expect(right.edge?.amount).toBe(promised);
      if (!together) continue;
      const left = runStep(elf, step);
      if (difference === undefined || !program.isOld) {
        expect(findDifferences(elf, model, left, right), JSON.stringify(left.logs)).toEqual([]);
        continue;
      }
      together = part(left, right, difference);
    }
  }

  /** Holds the chains to a difference between versions; answers whether they can still be compared after it. */
  function part(
    left: ReturnType<typeof runStep>,
    right: ReturnType<typeof runStep>,
    { elf: expected, bytes }: NonNullable<Scenario['steps'][number][2]>,
  ): boolean {
    const name = left.refusal?.name ?? null;
    expect(name).toBe(expected);
    expect(bytes === true || !isSameError(name, right.refusal?.name ?? null)).toBe(true);
    if (bytes === true) {
      expect(resultDifferences(left, right)).toEqual([]);
      expect(byteDifferences(elf, model)).not.toEqual([]);
      return false;
    }
    return left.refusal !== null && right.refusal !== null;
  }
});
