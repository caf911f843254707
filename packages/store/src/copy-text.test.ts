import { describe, expect, it } from 'vitest';
import { copyText } from './copy-text.ts';

describe('copyText', () => {
  it('has every row once and in order, however many parts they come to', () => {
    const rows = Array.from({ length: 5_000 }, (_, nth) => `${nth}\tµ${'9'.repeat(nth % 80)}\n`);
    expect(copyText(rows, (row) => row).toString('utf8')).toBe(rows.join(''));
  });

  it('takes a row longer than a part', () => {
    const rows = ['1'.repeat(200_000), '2', '3'.repeat(200_000)];
    expect(copyText(rows, (row) => row).toString('utf8')).toBe(rows.join(''));
  });

  it('is empty where there are no rows', () => {
    expect(copyText([], () => '\n')).toHaveLength(0);
  });
});
