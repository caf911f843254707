import MiniSearch from 'minisearch';

/** The words that a word may be meant for; none where it is one of them. */
export type Spelling = (word: string) => readonly string[];

/** Shorter words would all be alike. */
const SHORTEST = 5;
/** Letters that may differ: two that changed places are two. */
const TOLERANCE = 2;
/** Words that one may be meant for. */
const MOST = 2;

/** Knows words whole, because the stem of a misspelt word is hardly like the stem of the word that is meant: `conversaton`, `convers`. */
export function createSpelling(words: Iterable<string>): Spelling {
  const known = new Set([...words].flatMap((word) => [word, ...word.split('_')]));
  const index = new MiniSearch<{ readonly id: string }>({
    fields: ['id'],
    tokenize: (word) => [word],
    processTerm: (word) => word,
    searchOptions: { fuzzy: (word) => (word.length < SHORTEST ? false : TOLERANCE) },
  });
  index.addAll([...known].filter((word) => !/^\d*$/.test(word)).map((id) => ({ id })));
  return (word) =>
    known.has(word)
      ? []
      : index
          .search(word)
          .slice(0, MOST)
          .map(({ id }) => String(id));
}
