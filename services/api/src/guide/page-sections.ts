/** A part of a page that can be found by itself. */
export interface PageSection {
  /** Null for what stands before the first heading. */
  readonly heading: string | null;
  /** Without marks of Markdown. */
  readonly text: string;
}

/** Takes a page apart at its headings below the title. A `#` in a block of code is no heading. */
export function sectionsOf(markdown: string): readonly PageSection[] {
  const sections: { heading: string | null; lines: string[] }[] = [{ heading: null, lines: [] }];
  let isCode = false;
  for (const line of markdown.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode;
    const heading = isCode ? undefined : /^(#+) (.+)$/.exec(line);
    if (heading?.[1] === '#') continue;
    if (heading?.[2] === undefined) sections.at(-1)?.lines.push(line);
    else sections.push({ heading: plainText(heading[2]), lines: [] });
  }
  return sections
    .map(({ heading, lines }) => ({ heading, text: plainText(lines.join('\n')) }))
    .filter(({ heading, text }) => heading !== null || text !== '');
}

function plainText(markdown: string): string {
  return markdown
    .replaceAll(/^```.*$/gm, '')
    .replaceAll(/^\|[-:| ]+\|$/gm, '')
    .replaceAll(/\[([^\]]+)\]\([^)\s]+\)/g, '$1')
    .replaceAll(/^\| |[ \t]*\|[ \t]*$/gm, '')
    .replaceAll(' | ', ' · ')
    .replaceAll(/\*\*|`/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
