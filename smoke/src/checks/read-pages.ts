import type { Service } from '#service/service.ts';

const MOST_PAGES = 50;

/** All pages of a list, one by one. */
export async function readPages<T>(
  service: Service,
  operation: string,
  list: string,
  query: Readonly<Record<string, string | number>>,
): Promise<{ readonly rows: readonly T[]; readonly pages: readonly object[] }> {
  const rows: T[] = [];
  const pages: object[] = [];
  let cursor: string | null = null;
  do {
    const page: { readonly next_cursor: string | null; readonly [list: string]: unknown } = await service.ask(
      operation,
      { query: { ...query, ...(cursor !== null && { cursor }) } },
    );
    rows.push(...(page[list] as T[]));
    pages.push(page);
    cursor = page.next_cursor;
  } while (cursor !== null && pages.length < MOST_PAGES);
  return { rows, pages };
}
