import { describe, expect, it } from 'vitest';
import { BENCHMARKS } from './benchmarks.ts';
import { parseCommand } from './parse-command.ts';

describe('parseCommand', () => {
  it('runs all that belong together when none is named', () => {
    expect(parseCommand([]).benchmarks).toEqual(BENCHMARKS.filter(({ isInAll }) => isInAll));
  });

  it('runs those that are named, in their order', () => {
    const { benchmarks } = parseCommand(['start-time', 'decode-accounts', '--quick']);
    expect(benchmarks.map(({ name }) => name)).toEqual(['start-time', 'decode-accounts']);
  });

  it('hands one benchmark arguments of its own', () => {
    expect(parseCommand(['rate-ingest', '--', '--rows', '1e8']).arguments).toEqual(['--rows', '1e8']);
  });

  it('takes a number of runs', () => {
    expect(parseCommand(['--repeats', '5']).repeats).toBe(5);
  });

  it('profiles those of which somebody does the work', () => {
    expect(parseCommand(['--profile']).benchmarks.every(({ profiled }) => profiled !== undefined)).toBe(true);
  });

  it.each([
    [['start-time', '--profile'], 'start-time has nobody to profile'],
    [['nothing'], 'nothing is no benchmark; there are: decode-accounts'],
    [['--repeats', 'many'], '--repeats is many; allowed'],
    [['--', '--rows', '1e8'], 'has to be named'],
    [['--fast'], '--fast'],
  ])('refuses %j', (given, words) => {
    expect(() => parseCommand(given)).toThrow(words);
  });
});
