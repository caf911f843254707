import type { Term } from './search-terms.ts';

/** About forty words: enough to see whether the page answers the question. */
const SNIPPET_LENGTH = 240;
/** What is shown before the first word that was found, so that it can be understood. */
const LEAD = 50;

/** The stretch of a text that holds most of the terms that were found, cut between words. Its beginning where it holds none. */
export function snippetOf(text: string, terms: readonly Term[], found: ReadonlySet<string>): string {
  const hits = terms.filter(({ term }) => found.has(term));
  let best = { start: 0, count: 0 };
  for (const { start } of hits) {
    const inside = hits.filter((hit) => hit.start >= start && hit.end <= start + SNIPPET_LENGTH - LEAD);
    const count = new Set(inside.map(({ term }) => term)).size;
    if (count > best.count) best = { start, count };
  }
  return cut(text, Math.max(0, best.start - LEAD));
}

function cut(text: string, from: number): string {
  const start = from === 0 ? 0 : afterSpace(text, from);
  if (text.length - start <= SNIPPET_LENGTH) return `${start === 0 ? '' : '… '}${text.slice(start)}`;
  const last = text.lastIndexOf(' ', start + SNIPPET_LENGTH);
  const end = last > start ? last : start + SNIPPET_LENGTH;
  return `${start === 0 ? '' : '… '}${text.slice(start, end)} …`;
}

function afterSpace(text: string, from: number): number {
  const space = text.indexOf(' ', from);
  return space === -1 ? from : space + 1;
}
