import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { REQUIREMENTS } from './requirements.ts';

const CITATION = /\[([a-z0-9-]+)\]/g;
const folder = new URL('./scenarios/', import.meta.url);

/** Ids in square brackets in the titles of scenarios. */
function citedIds(): Set<string> {
  const titles = readdirSync(folder)
    .filter((name) => name.endsWith('.test.ts'))
    .flatMap((name) => [
      ...readFileSync(new URL(name, folder), 'utf8').matchAll(
        /\b(?:it|test)(?:\.\w+)?(?:\(.*?\))?\(\s*(['"`])(.*?)\1/gs,
      ),
    ])
    .map((match) => match[2] ?? '');
  return new Set(titles.flatMap((title) => [...title.matchAll(CITATION)].map((match) => match[1] as string)));
}

describe('requirements', () => {
  it('are each cited by a scenario', () => {
    const cited = citedIds();
    expect(Object.keys(REQUIREMENTS).filter((id) => !cited.has(id))).toEqual([]);
  });

  it('are the only ids that scenarios cite', () => {
    expect([...citedIds()].filter((id) => !Object.hasOwn(REQUIREMENTS, id))).toEqual([]);
  });
});
