import { createModelEngine } from '@lending/localnet';
import { describe, expect, it } from 'vitest';
import { Chain, type ChainState } from './chain.ts';
import { edgeByDomain } from './domain-edge.ts';
import { START_TIME } from './market.ts';
import { runStep } from './run-step.ts';
import { SCENARIOS } from './scenarios/all.ts';
import { TODAY } from './scenarios/today.ts';
import { modelSide } from './sides.ts';
import { startAccounts } from './start.ts';

const start: ChainState = { accounts: startAccounts(), unixTimestamp: START_TIME };
const model = modelSide(new Chain(createModelEngine(), start));

describe('the model of the program, on its own', () => {
  it.each([...SCENARIOS, ...TODAY])('$name', ({ steps }) => {
    model.chain.reset(start);
    for (const [step, expected] of steps) {
      const promised = step.kind === 'edge' ? edgeByDomain(model.chain, step) : null;
      const { refusal, edge, logs } = runStep(model, step);
      expect(refusal?.name ?? null, logs.join('\n')).toBe(expected);
      if (promised !== null) expect(edge?.amount).toBe(promised);
    }
  });
});
