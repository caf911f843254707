import { isLendingError } from '@lending/errors';
import { type GraphQLFieldConfigArgumentMap, GraphQLInt, GraphQLString } from 'graphql';
import type { z } from 'zod';
import { decodeCursor } from '#tools/cursor.ts';
import { invalid } from '#tools/parse-input.ts';
import { CALL_NAME } from '../context.ts';

export const DEFAULT_PAGE_SIZE = 20;
export const MAX_PAGE_SIZE = 100;

/** The arguments of a connection that is read forward, such as one whose rows come from the tables. */
export const FORWARD_ARGS = {
  first: { type: GraphQLInt, description: `How many, 1 to ${MAX_PAGE_SIZE}; default ${DEFAULT_PAGE_SIZE}` },
  after: { type: GraphQLString, description: 'endCursor of the page before, with the same filter and order' },
} as const satisfies GraphQLFieldConfigArgumentMap;

/** The same for one that is read backward, too. */
export const PAGE_ARGS = {
  ...FORWARD_ARGS,
  last: { type: GraphQLInt, description: `How many from the end, 1 to ${MAX_PAGE_SIZE}; not together with first` },
  before: { type: GraphQLString, description: 'startCursor of the page after, with the same filter and order' },
} as const satisfies GraphQLFieldConfigArgumentMap;

export interface PageInput {
  readonly first?: number | null;
  readonly after?: string | null;
  readonly last?: number | null;
  readonly before?: string | null;
}

/** How many a page may hold: what an answer costs goes by it, before anything is read. */
export function pageSizeOf({ first, last }: PageInput): number {
  return first ?? last ?? DEFAULT_PAGE_SIZE;
}

/**
 * How many a page holds.
 * @throws TOOL__INPUT_INVALID naming `first` or `last`.
 */
export function readPageSize(page: PageInput): number {
  const field = page.last != null ? 'last' : 'first';
  if (page.first != null && page.last != null) {
    throw invalid('first and last are given together', 'one of them', CALL_NAME, { fields: ['first', 'last'] });
  }
  const size = pageSizeOf(page);
  if (size >= 1 && size <= MAX_PAGE_SIZE) return size;
  const allowed = `a whole number from 1 to ${MAX_PAGE_SIZE}`;
  throw invalid(`${field} has a value that is not allowed`, allowed, CALL_NAME, { field, allowed });
}

/**
 * The place that a cursor names; null without one.
 * @throws TOOL__INPUT_INVALID naming `after` or `before` when the text is no cursor of ours, or one of another question.
 */
export function readCursor<T extends readonly [z.ZodType, ...z.ZodType[]]>(
  field: 'after' | 'before',
  page: PageInput,
  position: z.ZodTuple<T>,
  question: unknown,
): z.output<z.ZodTuple<T>> | null {
  const text = page[field];
  if (text == null || text === '') return null;
  try {
    return decodeCursor(text, position, question, CALL_NAME);
  } catch (error) {
    if (!isLendingError(error, 'TOOL__INPUT_INVALID')) throw error;
    const wrong = error.message.includes('another question') ? 'belongs to another question' : 'is no cursor';
    throw invalid(`${field} ${wrong}`, CURSOR_ALLOWED, CALL_NAME, { field, allowed: CURSOR_ALLOWED });
  }
}

const CURSOR_ALLOWED = 'a cursor of a page with the same filter and order, or none for the first page';
