/**
 * Walks through a list, page by page, and hands out its rows one by one; the next page is asked for when the one before is used up.
 * @template T
 * @param {(cursor: string | undefined) => Promise<any>} fetchPage
 * @param {string} list Name of the rows in a page.
 * @returns {AsyncGenerator<T, void, undefined>}
 */
export declare function eachRow<T>(fetchPage: (cursor: string | undefined) => Promise<any>, list: string): AsyncGenerator<T, void, undefined>;
