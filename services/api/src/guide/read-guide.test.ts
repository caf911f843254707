import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { readGuide } from './read-guide.ts';

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
