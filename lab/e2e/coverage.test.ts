import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { REQUIREMENTS } from './requirements.ts';

/** A title that begins with an id in square brackets. */
const CITATION = /['"`]\[([a-z0-9-]+)\]/g;
const folder = new URL('./scenarios/', import.meta.url);

function citedIds(): ReadonlySet<string> {
  const scenarios = readdirSync(folder).filter((name) => name.endsWith('.test.ts'));
  const texts = scenarios.map((name) => readFileSync(new URL(name, folder), 'utf8'));
  return new Set(texts.flatMap((text) => [...text.matchAll(CITATION)].map((match) => match[1] as string)));
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
