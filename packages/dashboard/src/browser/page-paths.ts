/** Paths of pages, with `:name` for a segment that varies. The server answers these with the pages; `pages.ts` says what each shows. */
export const PAGE_PATHS = [
  '/',
  '/banks/:address',
  '/strategies',
  '/accounts',
  '/accounts/:address',
  '/pipeline',
] as const;
export type PagePath = (typeof PAGE_PATHS)[number];
