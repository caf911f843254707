import type { z } from 'zod';
import { encodeCursor } from '#tools/cursor.ts';
import type { Connection } from './connection-type.ts';
import { type PageInput, readCursor, readPageSize } from './page-input.ts';

export interface ForwardPage<T> {
  /** In their order; one more than asked for where more follow. */
  readonly rows: readonly T[];
  readonly size: number;
  readonly positionOf: (row: T) => readonly unknown[];
  /** Filter and order: a cursor is good for the same question only. */
  readonly question: unknown;
  /** Whether the page began after a cursor. */
  readonly isAfter: boolean;
}

/** A page out of rows that were read from a place on: who reads one row more than `size` knows whether more follow. */
export function forwardConnection<T>(page: ForwardPage<T>): Connection<T> {
  const shown = page.rows.slice(0, page.size);
  return connectionOf(shown, page, { hasNextPage: page.rows.length > page.size, hasPreviousPage: page.isAfter });
}

export interface ListPage<T, P extends readonly [z.ZodType, ...z.ZodType[]]> {
  /** All that match, in their order. */
  readonly rows: readonly T[];
  readonly input: PageInput;
  readonly position: z.ZodTuple<P>;
  readonly positionOf: (row: T) => z.output<z.ZodTuple<P>>;
  /** Below 0 where a place comes before another. The order must be total. */
  readonly compare: (a: z.output<z.ZodTuple<P>>, b: z.output<z.ZodTuple<P>>) => number;
  readonly question: unknown;
}

/**
 * A page out of a list that is in memory whole, forward or backward. It begins after a place, not at a number: what appears or vanishes
 * between two pages moves nothing else.
 * @throws TOOL__INPUT_INVALID naming the argument that is not allowed.
 */
export function listConnection<T, P extends readonly [z.ZodType, ...z.ZodType[]]>(
  page: ListPage<T, P>,
): Connection<T> & { readonly totalCount: number } {
  const { rows, input, position, positionOf, compare, question } = page;
  const size = readPageSize(input);
  const after = readCursor('after', input, position, question);
  const before = readCursor('before', input, position, question);
  const start = after === null ? 0 : firstIndex(rows, (row) => compare(positionOf(row), after) > 0);
  const end = before === null ? rows.length : firstIndex(rows, (row) => compare(positionOf(row), before) >= 0);
  const isBackward = input.last != null;
  const from = isBackward ? Math.max(start, end - size) : start;
  const until = isBackward ? Math.max(start, end) : Math.min(Math.max(start, end), start + size);
  const ends = { hasNextPage: until < rows.length, hasPreviousPage: from > 0 };
  return { ...connectionOf(rows.slice(from, until), page, ends), totalCount: rows.length };
}

function firstIndex<T>(rows: readonly T[], isIt: (row: T) => boolean): number {
  const index = rows.findIndex(isIt);
  return index === -1 ? rows.length : index;
}

function connectionOf<T>(
  shown: readonly T[],
  { positionOf, question }: { readonly positionOf: (row: T) => readonly unknown[]; readonly question: unknown },
  ends: { readonly hasNextPage: boolean; readonly hasPreviousPage: boolean },
): Connection<T> {
  const edges = shown.map((node) => new Edge(node, positionOf, question));
  return {
    edges,
    pageInfo: {
      ...ends,
      get startCursor() {
        return edges[0]?.cursor ?? null;
      },
      get endCursor() {
        return edges.at(-1)?.cursor ?? null;
      },
    },
  };
}

/** Writes its cursor when it is asked for: most queries ask for one, or none. */
class Edge<T> {
  readonly node: T;
  readonly #positionOf: (row: T) => readonly unknown[];
  readonly #question: unknown;

  constructor(node: T, positionOf: (row: T) => readonly unknown[], question: unknown) {
    this.node = node;
    this.#positionOf = positionOf;
    this.#question = question;
  }

  get cursor(): string {
    return encodeCursor(this.#positionOf(this.node), this.#question);
  }
}

/** The same page of what each of its rows is shown as. */
export function mapConnection<T, U>({ edges, pageInfo }: Connection<T>, show: (row: T) => U): Connection<U> {
  const shown = edges.map((edge) => ({
    node: show(edge.node),
    get cursor() {
      return edge.cursor;
    },
  }));
  return { edges: shown, pageInfo };
}
