import { describe, expect, it } from 'vitest';
import type { BuildRequest } from './build-request.ts';
import { tellStepsOf } from './build-steps.ts';

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
