import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@lending/testing';
import { describe, expect, it } from 'vitest';
import { GOALS } from '../report/judge.ts';
import { renderTable } from '../report/render-table.ts';
import { RESULTS, readNewestResults } from '../report/result.ts';
import { BENCHMARKS } from './benchmarks.ts';

const PAGE = readFileSync(join(ROOT, 'docs', 'performance.md'), 'utf8');
const SOURCES = join(ROOT, 'lab', 'bench', 'src');
/** What benchmarks start, and what runs them. */
const PARTS = ['counting-node.ts', 'crowded-chain.ts', 'fastify-from-memory.ts', 'mcp-from-memory.ts', 'run.ts'];

describe('the list of benchmarks', () => {
  it('names every program of the folder once', () => {
    const files = readdirSync(SOURCES).filter((file) => file.endsWith('.ts') && !PARTS.includes(file));
    expect(new Set(BENCHMARKS.map(({ file }) => file))).toEqual(new Set(files));
    expect(new Set(BENCHMARKS.map(({ name }) => name)).size).toBe(BENCHMARKS.length);
  });

  it('measures every goal in what runs together', () => {
    const measured = new Set(BENCHMARKS.filter(({ isInAll }) => isInAll).flatMap(({ goals }) => goals));
    expect(measured).toEqual(new Set(Object.keys(GOALS)));
  });

  it('takes at most twenty minutes for what runs together', () => {
    const minutes = BENCHMARKS.filter(({ isInAll }) => isInAll).reduce((sum, each) => sum + each.minutes, 0);
    expect(minutes).toBeLessThanOrEqual(20);
  });

  it('names only goals that there are in what was found', () => {
    for (const { figures } of readNewestResults(RESULTS).values()) {
      for (const { goal } of figures) if (goal !== null) expect(Object.keys(GOALS)).toContain(goal);
    }
  });
});

describe('docs/performance.md', () => {
  it('has every goal in its words', () => {
    for (const { what, yardstick, goal } of Object.values(GOALS))
      expect(PAGE).toContain(`| ${what} | ${yardstick} | ${goal} |`);
  });

  it('tells of every benchmark, and of none that there is not', () => {
    const named = new Set([...PAGE.matchAll(/npm run bench -- ([a-z][a-z-]+)/g)].map(([, name]) => name));
    expect(named).toEqual(new Set(BENCHMARKS.map(({ name }) => name)));
  });
});

describe('lab/bench/results/README.md', () => {
  it('is what the results beside it come to', () => {
    const results = readNewestResults(RESULTS);
    const page = join(RESULTS, 'README.md');
    if (results.size === 0) expect(existsSync(page)).toBe(false);
    else expect(readFileSync(page, 'utf8')).toBe(renderTable(BENCHMARKS, results));
  });
});
