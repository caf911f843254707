import { stemmer } from 'stemmer';
import type { Spelling } from './spelling.ts';

/** A word of a text, as it is found by. */
export interface Term {
  readonly term: string;
  /** Where its word begins and ends in the text. */
  readonly start: number;
  readonly end: number;
}

/** Words that say nothing of what a page is about. */
const FILLERS: ReadonlySet<string> = new Set(
  (
    'a about all an and any are as at be been but by can could did do does for from get had has have how i if in into is it its ' +
    'me my of on or our should so than that the their them then there these they this those to us was we were what when where ' +
    'which while who why will with would you your'
  ).split(' '),
);

/** The words of a text by their stems; `health_factor` is found whole and by its parts. */
export function termsOf(text: string): readonly Term[] {
  return [...text.matchAll(/[\p{L}\p{N}_]+/gu)].flatMap(({ 0: word, index: start }) => {
    const end = start + word.length;
    return spellings(word.toLowerCase()).map((term) => ({ term, start, end }));
  });
}

/** What a question asks for: its words without fillers, or all of them where it has no others; of a word that no page has, those it may be. */
export function askedTerms(query: string, spelling: Spelling): readonly string[] {
  const words = wordsOf(query);
  const telling = words.filter((word) => !FILLERS.has(word));
  return (telling.length > 0 ? telling : words).flatMap((word) => [word, ...spelling(word)].flatMap(spellings));
}

/** Every word of a text, in small letters. */
export function wordsOf(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}_]+/gu)?.map((word) => word.toLowerCase()) ?? [];
}

function spellings(word: string): readonly string[] {
  if (!word.includes('_')) return [stemOf(word)];
  const parts = word.split('_').filter((part) => part !== '');
  return [word, ...parts.map(stemOf)];
}

/** Words of three letters have no ending: `apy` is none of `api`. */
function stemOf(word: string): string {
  return word.length > 3 ? stemmer(word) : word;
}
