import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ERRORS, type ErrorEntry } from './codes.ts';
import { WIRE_CODES, type WireCodeEntry } from './wire-codes.ts';

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

  it('lists every wire code as its registry does', () => {
    const entries: [string, WireCodeEntry][] = Object.entries(WIRE_CODES);
    expect(rowsUnder('On the wire')).toEqual(
      entries.map(([code, { status, retry, meaning, change }]) => [
        `\`${code}\``,
        String(status),
        retry,
        meaning,
        change,
      ]),
    );
  });
});

describe('WIRE_CODES', () => {
  const leaving = Object.values<ErrorEntry>(ERRORS).filter((entry) => entry.audience === 'caller');

  it.each(leaving)('says of $wire what the code behind it says of trying again', ({ wire, retry }) => {
    expect(['varies', retry]).toContain(WIRE_CODES[wire].retry);
  });
});
