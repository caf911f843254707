import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ROOT } from '@lending/testing';

/** A fenced block of a page: an example, unless it has no language. */
export interface GuideBlock {
  readonly page: string;
  readonly line: number;
  /** What stands behind the fence, such as `json POST /v1/tx/deposit`. */
  readonly info: string;
  readonly text: string;
}

/** Every block of every page of the guide, in the order of the pages' names. */
export function readGuideBlocks(): readonly GuideBlock[] {
  const files = globSync('docs/guide/*.md', { cwd: ROOT }).sort();
  return files.flatMap((file) => blocksOf(basename(file, '.md'), readFileSync(join(ROOT, file), 'utf8')));
}

function blocksOf(page: string, markdown: string): readonly GuideBlock[] {
  return [...markdown.matchAll(/^```([^\n]*)\n([\s\S]*?)^```$/gm)].map(({ 1: info = '', 2: text = '', index }) => ({
    page,
    line: markdown.slice(0, index).split('\n').length,
    info,
    text,
  }));
}
