import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createGuide, type Guide, type GuidePage } from './guide.ts';

const GUIDE_DIR = join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'guide');
const CONTENTS = 'README.md';

/**
 * Reads the pages of the guide, in the order in which the contents list them.
 * @throws TypeError naming a page that the contents leave out, or list without there being one: a fault of the release.
 */
export function readGuide(folder: string = GUIDE_DIR): Guide {
  const listed = readContents(readFileSync(join(folder, CONTENTS), 'utf8'));
  const files = readdirSync(folder).filter((name) => name.endsWith('.md') && name !== CONTENTS);
  const slugs = new Set(listed.map(({ slug }) => slug));
  const unlisted = files.filter((name) => !slugs.has(name.slice(0, -'.md'.length)));
  if (unlisted.length > 0) throw new TypeError(`${CONTENTS} of the guide does not list ${unlisted.join(', ')}`);
  return createGuide(
    listed.map((entry): GuidePage => {
      const markdown = readFileSync(join(folder, `${entry.slug}.md`), 'utf8');
      return { ...entry, title: titleOf(markdown) ?? entry.slug, markdown };
    }),
  );
}

/** A line of the contents is `- [Title](slug.md): what it is about.` */
function readContents(text: string): readonly Pick<GuidePage, 'slug' | 'summary'>[] {
  const lines = text.matchAll(/^- \[[^\]]+\]\(([a-z0-9-]+)\.md\): (.+)$/gm);
  return [...lines].map(([, slug = '', summary = '']) => ({ slug, summary }));
}

function titleOf(markdown: string): string | undefined {
  return /^# (.+)$/m.exec(markdown)?.[1];
}
