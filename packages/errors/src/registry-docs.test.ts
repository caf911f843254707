import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ERRORS, type ErrorEntry, type WireCode } from './codes.ts';
import { wireStatus } from './wire-error.ts';

const page = readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8');

/** Cells of every table row under a heading, header rows left out. */
function rowsUnder(heading: string): string[][] {
  const section = page.split(/^## /m).find((part) => part.startsWith(heading)) ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('| `'));
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

function leavesAs(entry: ErrorEntry): string {
  return entry.audience === 'caller' ? `caller: \`${entry.wire}\`` : 'operator';
}

describe('docs/errors.md', () => {
  const documented = rowsUnder('Codes');

  it('lists every code of the registry once, and no other', () => {
    expect(documented.map(([code]) => code).sort()).toEqual(
      Object.keys(ERRORS)
        .map((code) => `\`${code}\``)
        .sort(),
    );
  });

  it.each(Object.entries(ERRORS))('says of %s what the registry says, and what to do', (code, entry) => {
    const row = documented.find(([cell]) => cell === `\`${code}\``);
    expect(row?.slice(1, 4)).toEqual([entry.message, entry.retry, leavesAs(entry)]);
    expect(row?.[4]?.length).toBeGreaterThan(10);
  });

  it('lists the HTTP status of every wire code', () => {
    const statuses = rowsUnder('On the wire');
    const used = Object.values(ERRORS).flatMap((entry: ErrorEntry) =>
      entry.audience === 'caller' ? [entry.wire] : [],
    );
    const codes = statuses.map(([code]) => code?.replaceAll('`', '') as WireCode);
    expect(codes).toEqual(expect.arrayContaining([...used, 'INTERNAL', 'UPSTREAM_UNAVAILABLE']));
    for (const [index, code] of codes.entries()) expect(statuses[index]?.[1]).toBe(String(wireStatus(code)));
  });
});
