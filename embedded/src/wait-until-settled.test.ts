import { describe, expect, it } from 'vitest';
import { waitUntilReady, waitUntilSettled } from './wait-until-settled.ts';

const TIMES = { standstillMs: 200, mostMs: 60_000, beatMs: 10 };
const { signal } = new AbortController();

/** A process that says one thing after the other, each for so many beats, the last one for good; null: it is ready. */
function processSaying(...said: readonly (readonly [beats: number, reason: string | null])[]) {
  const beats = said.flatMap(([count, reason]) => Array.from({ length: count }, () => reason));
  let nth = 0;
  return async () => {
    const reason = beats[Math.min(nth++, beats.length - 1)] ?? null;
    const body = reason === null ? {} : { details: { reasons: [{ reason }] } };
    return { status: reason === null ? 200 : 503, body: JSON.stringify(body) };
  };
}

describe('waitUntilSettled', () => {
  it('waits for a start that goes on, however long its parts take together', async () => {
    const ask = processSaying([12, 'starting'], [12, 'no bank yet'], [12, 'no rates of Kamino'], [1, null]);
    expect(await waitUntilSettled(ask, signal, TIMES)).toBeNull();
  });

  it('gives the reason of a start in which nothing changes but an age', async () => {
    let ageS = 100;
    const ask = async () => processSaying([1, `the newest sample is ${ageS++} s old`])();
    expect(await waitUntilSettled(ask, signal, TIMES)).toMatch(/^the newest sample is \d+ s old$/);
  });

  it('gives the reason of a start that changes without end', async () => {
    let nth = 0;
    const ask = async () => processSaying([1, nth++ % 2 === 0 ? 'no node' : 'another node'])();
    expect(await waitUntilSettled(ask, signal, { ...TIMES, mostMs: 300 })).toMatch(/node$/);
  });
});

describe('waitUntilReady', () => {
  it('says when what was stuck is ready, and nothing once the process stops', async () => {
    expect(await waitUntilReady(processSaying([5, 'no node'], [1, null]), signal, 1)).toBe(true);
    expect(await waitUntilReady(processSaying([1, 'no node']), AbortSignal.abort(), 1)).toBe(false);
  });
});
