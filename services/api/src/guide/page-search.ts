import MiniSearch from 'minisearch';
import type { Guide, GuideHit, GuidePage } from './guide.ts';
import { sectionsOf } from './page-sections.ts';
import { askedTerms, type Term, termsOf, wordsOf } from './search-terms.ts';
import { snippetOf } from './snippet.ts';
import { createSpelling } from './spelling.ts';

/** What is searched: a section, with the page it stands on. */
interface Entry {
  readonly id: number;
  readonly page: GuidePage;
  readonly title: string;
  readonly heading: string | null;
  readonly text: string;
  readonly terms: readonly Term[];
}

/** A word in the name of a page says more of it than one in its text. */
const BOOST = { title: 3, heading: 2 };
/** How much less a word counts that only begins like the one asked for, or is spelled differently. */
const WEIGHTS = { prefix: 0.4, fuzzy: 0.3 };

/** Letters of a stem that may differ: one in four or five, two from six on; short words would all be alike. */
function tolerance(term: string): number | false {
  if (term.length < 4 || /^\d+$/.test(term)) return false;
  return term.length < 6 ? 1 : 2;
}

/** Indexes the pages by their sections, once. */
export function createPageSearch(pages: readonly GuidePage[]): Guide['search'] {
  const entries = entriesOf(pages);
  const spelling = createSpelling(
    entries.flatMap(({ title, heading, text }) => wordsOf(`${title} ${heading ?? ''} ${text}`)),
  );
  const index = new MiniSearch<Entry>({
    fields: ['title', 'heading', 'text'],
    tokenize: (text) => termsOf(text).map(({ term }) => term),
    processTerm: (term) => term,
    searchOptions: {
      tokenize: (query) => [...askedTerms(query, spelling)],
      boost: BOOST,
      weights: WEIGHTS,
      prefix: (term) => term.length > 2,
      fuzzy: tolerance,
    },
  });
  index.addAll(entries);
  return (query, limit) => {
    const bestOfPage = new Map<string, GuideHit>();
    for (const { id, score, terms } of index.search(query)) {
      const entry = entries[id];
      if (entry === undefined || bestOfPage.has(entry.page.slug)) continue;
      bestOfPage.set(entry.page.slug, {
        slug: entry.page.slug,
        title: entry.title,
        section: entry.heading,
        snippet: snippetOf(entry.text, entry.terms, new Set(terms)),
        score: Math.round(score * 100) / 100,
      });
    }
    return [...bestOfPage.values()].slice(0, limit);
  };
}

function entriesOf(pages: readonly GuidePage[]): readonly Entry[] {
  const sections = pages.flatMap((page) => sectionsOf(page.markdown).map((section) => ({ page, ...section })));
  return sections.map(({ page, heading, text }, id) => ({
    id,
    page,
    title: page.title,
    heading,
    text,
    terms: termsOf(text),
  }));
}
