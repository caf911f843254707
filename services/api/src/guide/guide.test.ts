import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createGuide, type GuidePage } from './guide.ts';
import { readGuide } from './read-guide.ts';

const page = (slug: string, title: string, markdown: string): GuidePage => ({
  slug,
  title,
  summary: `About ${title}.`,
  markdown: `# ${title}\n\n${markdown}`,
});

const LONG = 'Words that lead up to it and say nothing of it at all. '.repeat(8);

const guide = createGuide([
  page('banks', 'Banks', 'A bank is a pool.\n\n## Sizes and limits\n\nA `deposit_cap` is what a bank takes at most.'),
  page(
    'health',
    'Health',
    `Far from the line.\n\n## Liquidation\n\n${LONG} An account is liquidated at a ratio of 1. ${LONG}`,
  ),
  page(
    'loops',
    'Loops',
    'Borrowing to deposit again.\n\n```sh\n# no heading\ncurl /v1/tx/loop\n```\n\n| a | b |\n|---|---|\n| `x` | [y](z.md) |',
  ),
  page('repaying', 'Repaying', 'Pays a debt back. A bank is named.'),
]);

describe('get', () => {
  it.each(['banks', 'Banks', ' banks ', 'banks.md', './banks.md#sizes-and-limits', 'svc://docs/banks'])(
    'takes %s',
    (slug) => {
      expect(guide.get(slug)?.title).toBe('Banks');
    },
  );

  it.each(['bank', '', '../banks', 'constructor', 'banks.md.md'])('has no page %s', (slug) => {
    expect(guide.get(slug)).toBeUndefined();
  });
});

describe('search', () => {
  const found = (query: string, limit = 10) => guide.search(query, limit).map(({ slug }) => slug);

  it('puts the page that is named so first', () => {
    expect(found('bank')).toEqual(['banks', 'repaying']);
  });

  it('takes the name of a page for more than what its text says', () => {
    const named = createGuide([
      page('costs', 'Costs', '## Fees\n\nFees of all kinds.'),
      page('fees', 'Fees', 'What a call costs. '.repeat(20)),
    ]);
    expect(named.search('fees', 2).map(({ slug }) => slug)).toEqual(['fees', 'costs']);
  });

  it('takes any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (query) => {
        for (const { snippet } of guide.search(query, 5)) expect(snippet.length).toBeLessThanOrEqual(250);
      }),
    );
    expect(found('__proto__ constructor toString')).toEqual([]);
  });

  it('says where on a page it found something, with the text around it', () => {
    const [hit] = guide.search('when is an account liquidated', 1);
    expect(hit).toMatchObject({ slug: 'health', title: 'Health', section: 'Liquidation' });
    expect(hit?.snippet).toMatch(/^… .*An account is liquidated at a ratio of 1\..* …$/);
    expect(hit?.snippet.length).toBeLessThanOrEqual(250);
  });

  it.each([
    ['liqudation', 'health'],
    ['likuidation', 'health'],
    ['liquidatoin', 'health'],
    ['Borowwing', 'loops'],
    ['repaynig', 'repaying'],
    ['desposit cpa', 'banks'],
    ['depsit', 'banks'],
    ['liquid', 'health'],
    ['borrowed', 'loops'],
    ['repay', 'repaying'],
    ['deposit cap', 'banks'],
    ['deposit_cap', 'banks'],
    ['/v1/tx/loop', 'loops'],
    ['LOOPS', 'loops'],
  ])('finds "%s" on the page %s', (query, slug) => {
    expect(found(query)[0]).toBe(slug);
  });

  it('lists a page once, and not more pages than asked for', () => {
    expect(found('a bank is a pool that takes deposits')).toHaveLength(new Set(found('bank pool deposits')).size);
    expect(found('bank', 1)).toEqual(['banks']);
  });

  it('puts the best first', () => {
    const scores = guide.search('bank deposit debt', 10).map(({ score }) => score);
    expect(scores.length).toBeGreaterThan(1);
    expect(scores).toEqual(scores.toSorted((one, other) => other - one));
  });

  it.each(['xyzzyq', '???', ' '])('finds nothing for "%s"', (query) => {
    expect(found(query)).toEqual([]);
  });

  it('searches for common words where there are no others', () => {
    expect(found('what is it').length).toBeGreaterThan(0);
  });

  it('shows plain text, and takes no line of code for a heading', () => {
    const [hit] = guide.search('curl', 1);
    expect(hit).toMatchObject({ slug: 'loops', section: null });
    expect(hit?.snippet).toBe('Borrowing to deposit again. # no heading curl /v1/tx/loop a · b x · y');
  });
});

const folders: string[] = [];
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'guide-'));
  folders.push(folder);
  const contents = '# All\n\n- [Second](b.md): the other one.\n- [First](a.md): one.\n';
  const files = { 'README.md': contents, 'a.md': '# First\n\nText.\n', 'b.md': '# Second\n' };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
});
afterAll(() => {
  for (const each of folders) rmSync(each, { recursive: true });
});

describe('readGuide', () => {
  it('reads the pages in the order of the contents', () => {
    expect(readGuide(folder).list()).toEqual([
      { slug: 'b', title: 'Second', summary: 'the other one.', markdown: '# Second\n' },
      { slug: 'a', title: 'First', summary: 'one.', markdown: '# First\n\nText.\n' },
    ]);
  });

  it('leaves out what the contents do not list', () => {
    writeFileSync(join(folder, 'c.md'), '# Third\n');
    expect(readGuide(folder).get('c')).toBeUndefined();
  });

  it('refuses a line of the contents without a page', () => {
    rmSync(join(folder, 'a.md'));
    expect(() => readGuide(folder)).toThrow(/a\.md/);
  });
});

describe('docs/guide', () => {
  const pages = readGuide().list();
  const docs = new URL('../../../../docs/guide/', import.meta.url);
  const contents = readFileSync(new URL('README.md', docs), 'utf8');

  it('is listed whole', () => {
    const files = readdirSync(docs).filter((name) => name !== 'README.md');
    expect(pages.map(({ slug }) => `${slug}.md`).sort()).toEqual(files.sort());
  });

  it('links only to what there is', () => {
    for (const { slug, markdown } of pages) {
      for (const [, target = ''] of markdown.matchAll(/\]\((?!https?:)([^)#\s]+)[^)]*\)/g)) {
        expect(existsSync(new URL(target, docs)), `${slug}.md: ${target}`).toBe(true);
      }
    }
  });

  it('is listed under the titles that the pages have', () => {
    for (const { slug, title } of pages) expect(contents).toContain(`- [${title}](${slug}.md): `);
  });
});
