import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { listConnection } from './connection.ts';
import type { PageInput } from './page-input.ts';

const position = z.tuple([z.number()]);
const show = (rows: readonly number[], input: PageInput, question: unknown = 'numbers') =>
  listConnection({ rows, input, position, positionOf: (row) => [row], compare: ([a], [b]) => a - b, question });
const nodesOf = ({ edges }: ReturnType<typeof show>) => edges.map(({ node }) => node);
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i);

describe('listConnection', () => {
  it('goes forward through all, once each', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer()), fc.integer({ min: 1, max: 100 }), (numbers, first) => {
        const rows = numbers.toSorted((a, b) => a - b);
        const seen: number[] = [];
        let after: string | null = null;
        for (;;) {
          const page: ReturnType<typeof show> = show(rows, { first, after });
          seen.push(...nodesOf(page));
          expect(page.totalCount).toBe(rows.length);
          if (!page.pageInfo.hasNextPage) break;
          after = page.pageInfo.endCursor;
        }
        expect(seen).toEqual(rows);
      }),
    );
  });

  it('goes backward through all, once each, every page in the order of the list', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer()), fc.integer({ min: 1, max: 100 }), (numbers, last) => {
        const rows = numbers.toSorted((a, b) => a - b);
        let seen: number[] = [];
        let before: string | null = null;
        for (;;) {
          const page: ReturnType<typeof show> = show(rows, { last, before });
          seen = [...nodesOf(page), ...seen];
          if (!page.pageInfo.hasPreviousPage) break;
          before = page.pageInfo.startCursor;
        }
        expect(seen).toEqual(rows);
      }),
    );
  });

  it('neither repeats nor skips anything when rows appear and vanish between pages', () => {
    const first = show(upTo(10), { first: 4 });
    expect(nodesOf(first)).toEqual([0, 1, 2, 3]);
    // One appeared before the place, that of the cursor itself vanished, and one appeared right after it.
    const changed = [-5, 0, 1, 2, 3.5, 4, 5, 6, 7, 8, 9];
    const next = show(changed, { first: 4, after: first.pageInfo.endCursor });
    expect(nodesOf(next)).toEqual([3.5, 4, 5, 6]);
    const back = show(changed, { last: 2, before: next.pageInfo.startCursor });
    expect(nodesOf(back)).toEqual([1, 2]);
  });

  it('shows 20 unless it is told how many', () => {
    const page = show(upTo(50), {});
    expect(nodesOf(page)).toEqual(upTo(20));
    expect(page.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
  });

  it('is a page without cursors where nothing is left', () => {
    const { pageInfo } = show(upTo(2), { first: 2 });
    const { edges, pageInfo: end } = show(upTo(2), { after: pageInfo.endCursor });
    expect(edges).toEqual([]);
    expect(end).toMatchObject({ hasNextPage: false, hasPreviousPage: true, startCursor: null, endCursor: null });
  });

  it('takes no cursor of another question, and no text that is none', () => {
    const { pageInfo } = show(upTo(5), { first: 2 });
    const other = () => show(upTo(5), { after: pageInfo.endCursor }, 'other numbers');
    expect(other).toThrow(/^after belongs to another question — allowed: a cursor of a page with the same filter/);
    expect(() => show(upTo(5), { before: 'sk_live_1' })).toThrow(/^before is no cursor — allowed: (?!.*sk_live)/);
  });
});
