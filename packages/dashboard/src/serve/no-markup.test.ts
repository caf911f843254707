import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const BROWSER_FOLDER = join(import.meta.dirname, '../browser');

/** Ways by which a string becomes markup, a script or a style sheet. Trusted types refuse most of them in the browser, too late to notice. */
const MARKUP =
  /innerHTML|outerHTML|insertAdjacentHTML|document\.write|createContextualFragment|DOMParser|srcdoc|\beval\(|new Function|javascript:/;

describe('what the pages are made of', () => {
  const files = globSync('**/*.ts', { cwd: BROWSER_FOLDER }).filter((path) => !path.endsWith('.test.ts'));

  it.each(files)('makes no markup of a string in %s', (path) => {
    const text = readFileSync(join(BROWSER_FOLDER, path), 'utf8');
    expect(text.split('\n').filter((line) => MARKUP.test(line))).toEqual([]);
  });

  it('loads nothing from elsewhere', () => {
    const texts = globSync('**/*.{ts,css,svg}', { cwd: BROWSER_FOLDER })
      .filter((path) => !path.endsWith('.test.ts'))
      .flatMap((path) => readFileSync(join(BROWSER_FOLDER, path), 'utf8').match(/https?:\/\/[^\s'"`)]+/g) ?? []);
    expect(texts.filter((url) => url !== 'http://www.w3.org/2000/svg')).toEqual([]);
  });
});
