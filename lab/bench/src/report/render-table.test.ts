import { describe, expect, it } from 'vitest';
import { GOALS } from './judge.ts';
import { renderTable } from './render-table.ts';
import { type BenchResult, type Figure, figure, once } from './result.ts';

const BENCHMARKS = [
  { name: 'get-banks', goals: ['banks'] },
  { name: 'start-time', goals: ['start'] },
] as const;

function resultOf(figures: readonly Figure[], failure: string | null = null): BenchResult {
  return {
    name: 'get-banks',
    startedAt: '2026-11-22T11:50:00.000Z',
    seconds: 90,
    arguments: ['--rounds', '5'],
    repeats: 2,
    failure,
    machine: { cpu: 'A processor', cores: 4, memoryGb: 24, os: 'Linux 6' },
    versions: { commit: 'abcdef', node: 'v24' },
    load: { before: [0.1, 0.2, 0.3], after: [1.5, 0.2, 0.3] },
    figures,
    runs: [],
  };
}

function speed(what: string, ratio: number): Figure {
  return figure({
    goal: 'banks',
    what,
    unit: 'requests/s',
    ours: { median: 80, low: 70, high: 90 },
    yardstick: once(100),
    ratio: once(ratio),
    bound: { of: 'ratio', is: 'atLeast', value: 0.8 },
  });
}

function tableOf(...results: readonly BenchResult[]): string {
  return renderTable(BENCHMARKS, new Map(results.map((result) => [result.name, result])));
}

describe('renderTable', () => {
  it('has a row for every goal, measured or not', () => {
    const table = tableOf();
    for (const { what } of Object.values(GOALS)) expect(table).toContain(`| ${what} |`);
    expect(table).toContain('**not measured**; not measured: start-time');
  });

  it('shows the worst figure of a goal, and by how much it is missed', () => {
    const table = tableOf(resultOf([speed('good', 1.2), speed('bad', 0.6), speed('better', 0.9)]));
    expect(table).toContain(
      '| bad | 80 requests/s | 100 requests/s | 0.6 | ratio ≥ 0.8 | **missed by 25 %** | 2 of 3 |',
    );
  });

  it('calls a goal reached when all its figures are', () => {
    expect(tableOf(resultOf([speed('good', 0.8), speed('better', 0.9)]))).toContain(
      '| good | 80 requests/s | 100 requests/s | 0.8 | ratio ≥ 0.8 | reached | 2 of 2 |',
    );
  });

  it('shows the spread of what was measured more than once', () => {
    expect(tableOf(resultOf([speed('good', 0.8)]))).toContain('| 80 (70–90) | 100 | 0.8 |');
  });

  it.each([Number.NaN, null])('shows no number where there was none: %s', (none) => {
    const missing = { ...speed('lost', 0.9), ours: once(1), ratio: { median: none as number, low: 0, high: 0 } };
    expect(tableOf(resultOf([missing]))).toContain(
      '| lost | 1 requests/s | 100 requests/s | – | ratio ≥ 0.8 | **not measured** |',
    );
  });

  it('shows a benchmark that failed as one row with its reason', () => {
    const table = tableOf(resultOf([], 'run 1: ended with 1:\n  no | fixtures'));
    expect(table).toContain('| `get-banks` | **failed: run 1: ended with 1: no \\| fixtures** |');
    expect(table).toContain('**not measured**; not measured: get-banks');
  });

  it('says when, where and under which load it was measured', () => {
    expect(tableOf(resultOf([]))).toContain(
      '| `get-banks` | 2026-11-22 11:50 | `--rounds 5` | 2 | 90 | 0.1, 1.5 | abcdef | A processor, 4 cores, 24 GB, Linux 6 |',
    );
  });
});
