import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createGuide, type Guide, type GuidePage } from './guide.ts';

const GUIDE_DIR = join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'guide');
const CONTENTS = 'README.md';

/** Reads the pages of the guide that the contents list, in that order. A page that is missing is a fault of the release, and throws. */
export function readGuide(folder: string = GUIDE_DIR): Guide {
  const listed = readContents(readFileSync(join(folder, CONTENTS), 'utf8'));
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
