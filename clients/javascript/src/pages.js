import { UnreachableError } from './errors.js';

/**
 * Walks through a list, page by page, and hands out its rows one by one; the next page is asked for when the one before is used up.
 * @template T
 * @param {(cursor: string | undefined) => Promise<any>} fetchPage
 * @param {string} list Name of the rows in a page.
 * @returns {AsyncGenerator<T, void, undefined>}
 */
export async function* eachRow(fetchPage, list) {
  /** @type {string | undefined} */
  let cursor;
  for (;;) {
    const page = await fetchPage(cursor);
    const rows = page?.[list];
    if (!Array.isArray(rows)) throw new UnreachableError(`a page without ${list}`);
    yield* rows;
    const next = page.next_cursor ?? undefined;
    if (next === undefined) return;
    if (next === cursor) throw new UnreachableError(`the pages of ${list} do not end: next_cursor is the one before`);
    cursor = next;
  }
}
