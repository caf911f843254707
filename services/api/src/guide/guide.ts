import { ERROR_PAGES } from './error-pages.ts';
import { createPageSearch } from './page-search.ts';

/** A page of the guide. */
export interface GuidePage {
  /** Its name: the file's, without `.md`. */
  readonly slug: string;
  readonly title: string;
  /** What it is about, in one sentence. */
  readonly summary: string;
  readonly markdown: string;
}

/** Where a search found something: one for each page, at its best section. */
export interface GuideHit {
  readonly slug: string;
  readonly title: string;
  /** The heading that it stands under; null before a page's first. */
  readonly section: string | null;
  /** Plain text around what was found. */
  readonly snippet: string;
  /** Higher is better, among the hits of one search only. */
  readonly score: number;
}

/** The pages that agents and programs read. They change only with the program that serves them. */
export interface Guide {
  /** In the order of the contents. */
  list(): readonly GuidePage[];
  /** Takes a slug also as pages link to it: `banks.md`, `svc://docs/banks`, with a section behind `#`; and the code of an error. */
  get(slug: string): GuidePage | undefined;
  /** Best first. Misspelt words, beginnings of words and other forms of a word find too, behind what is exact. */
  search(query: string, limit: number): readonly GuideHit[];
}

export function createGuide(pages: readonly GuidePage[]): Guide {
  const bySlug = new Map([...ERROR_PAGES, ...pages].map((page) => [page.slug.toLowerCase(), page]));
  let search: Guide['search'] | undefined;
  return {
    list: () => pages,
    get: (slug) => bySlug.get(plainSlug(slug)),
    search(query, limit) {
      // Built on the first search: it takes 0.1 to 0.2 s, as long as all routes of an api together.
      search ??= createPageSearch(pages);
      return search(query, limit);
    },
  };
}

function plainSlug(slug: string): string {
  return slug
    .trim()
    .toLowerCase()
    .replace(/#.*$/, '')
    .replace(/^(svc:\/\/docs\/|\.\/)/, '')
    .replace(/\.md$/, '');
}
