import { describe, expect, it } from 'vitest';
import { type Column, readSort, sortRows, writeSort } from './data-table.ts';

interface Row {
  readonly name: string;
  readonly size: number | null;
}

const COLUMNS: readonly Column<Row>[] = [
  { key: 'name', label: 'Name', cell: ({ name }) => name, sortBy: ({ name }) => name },
  { key: 'size', label: 'Size', cell: ({ size }) => size, sortBy: ({ size }) => size },
  { key: 'note', label: 'Note', cell: () => '' },
];
const ROWS: readonly Row[] = [
  { name: 'b', size: 2 },
  { name: 'c', size: null },
  { name: 'a', size: 10 },
  { name: 'd', size: 2 },
];
const names = (rows: readonly Row[]) => rows.map(({ name }) => name).join('');

describe('sortRows', () => {
  it('orders by a column, figures as figures', () => {
    expect(names(sortRows(ROWS, COLUMNS, { key: 'name', direction: 'ascending' }))).toBe('abcd');
    expect(names(sortRows(ROWS, COLUMNS, { key: 'size', direction: 'descending' }))).toBe('abdc');
  });

  it('puts what is not known last in both directions, and leaves equals as they were', () => {
    expect(names(sortRows(ROWS, COLUMNS, { key: 'size', direction: 'ascending' }))).toBe('bdac');
  });

  it('changes nothing for a column that orders nothing', () => {
    expect(sortRows(ROWS, COLUMNS, { key: 'note', direction: 'ascending' })).toBe(ROWS);
  });
});

describe('readSort', () => {
  it('reads what was written', () => {
    for (const direction of ['ascending', 'descending'] as const) {
      expect(readSort(writeSort({ key: 'size', direction }), COLUMNS)).toEqual({ key: 'size', direction });
    }
  });

  it('takes no column that is not there or cannot be sorted', () => {
    expect([null, '', '-', 'colour', '-note'].map((text) => readSort(text, COLUMNS))).toEqual([
      null,
      null,
      null,
      null,
      null,
    ]);
  });
});
