import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { readNewestResults } from './result.ts';

const folder = mkdtempSync(join(tmpdir(), 'bench-results-'));
afterAll(() => rmSync(folder, { recursive: true }));

const write = (file: string, content: unknown) =>
  writeFileSync(join(folder, file), typeof content === 'string' ? content : JSON.stringify(content));

describe('readNewestResults', () => {
  it('knows none of a folder that is not there', () => {
    expect(readNewestResults(join(folder, 'absent')).size).toBe(0);
  });

  it('takes the newest of each name, and tells what is no result and leaves it out', () => {
    write('a.json', { name: 'one', startedAt: '2026-11-21T00:00:00Z', figures: [] });
    write('b.json', { name: 'one', startedAt: '2026-11-22T00:00:00Z', figures: [] });
    write('c.json', '{ "half');
    write('d.json', {});
    write('e.json', 'null');
    write('README.md', 'no result either');
    const told = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const results = readNewestResults(folder);
    const lines = told.mock.calls.map(([line]) => String(line));
    told.mockRestore();
    expect([...results].map(([name, { startedAt }]) => [name, startedAt])).toEqual([['one', '2026-11-22T00:00:00Z']]);
    expect(lines).toEqual(['c', 'd', 'e'].map((name) => `${join(folder, name)}.json is no result, and left out\n`));
  });
});
