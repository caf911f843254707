import { WIRE_CODES, type WireCodeEntry } from '@lending/errors';
import { type McpServer, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server';
import { adviseRetry, ERROR_PAGES } from '#guide/error-pages.ts';
import type { Guide } from '#guide/guide.ts';
import { completeFrom } from './complete-text.ts';

const MARKDOWN = 'text/markdown';

/** A page changes only with the program that serves it, and says the same to everyone. */
const CACHE_HINT = { ttlMs: 3_600_000, cacheScope: 'public' } as const;

const errorPages: ReadonlyMap<string, string> = new Map(ERROR_PAGES.map(({ slug, markdown }) => [slug, markdown]));

/** What an agent reads once: the units, the venues' ways, what each error code means, and every page of the guide. */
export function createResources(guide: Guide): (server: McpServer) => void {
  const units = textOf(guide, 'units');
  const venues = textOf(guide, 'venues');
  const index = renderErrorIndex();
  const docs = guide.list().map(({ slug, title, summary }) => {
    return { uri: `svc://docs/${slug}`, name: slug, title, description: summary, mimeType: MARKDOWN };
  });
  const oneError = new ResourceTemplate('svc://errors/{code}', {
    list: undefined,
    complete: { code: completeFrom([...errorPages.keys()]) },
  });
  const onePage = new ResourceTemplate('svc://docs/{slug}', {
    list: () => ({ resources: docs }),
    complete: { slug: completeFrom(docs.map(({ name }) => name)) },
  });
  return (server) => {
    addPage(server, 'units', 'svc://units', 'What the figures of every answer are in', units);
    addPage(
      server,
      'venues',
      'svc://venues',
      'What each venue is, what its rates are made of, what its states mean',
      venues,
    );
    addPage(server, 'errors', 'svc://errors', 'Every error code, and whether to try again', index);
    server.registerResource(
      'error',
      oneError,
      {
        title: 'One error code',
        description: 'What it means, what to change, whether to try again',
        mimeType: MARKDOWN,
        cacheHint: CACHE_HINT,
      },
      (uri, { code }) => pageAt(uri, errorPages.get(String(code))),
    );
    server.registerResource(
      'doc',
      onePage,
      {
        title: 'One page of the guide',
        description: 'Concepts, tools, signing, errors, running it: what svc_get_doc reads',
        mimeType: MARKDOWN,
        cacheHint: CACHE_HINT,
      },
      (uri, { slug }) => pageAt(uri, guide.get(String(slug))?.markdown),
    );
  };
}

/** A page that resources name; a guide without it was put together wrongly. */
function textOf(guide: Guide, slug: string): string {
  const page = guide.get(slug);
  if (page === undefined) throw new TypeError(`the guide has no page ${slug}`);
  return page.markdown;
}

function pageAt(uri: URL, text: string | undefined) {
  if (text === undefined) throw new ResourceNotFoundError(uri.href);
  return { contents: [{ uri: uri.href, mimeType: MARKDOWN, text }] };
}

function addPage(server: McpServer, name: string, address: string, description: string, text: string): void {
  const config = { title: name, description, mimeType: MARKDOWN, cacheHint: CACHE_HINT };
  server.registerResource(name, address, config, () => ({ contents: [{ uri: address, mimeType: MARKDOWN, text }] }));
}

function renderErrorIndex(): string {
  const rows = Object.entries<WireCodeEntry>(WIRE_CODES).map(
    ([code, entry]) => `| \`${code}\` | ${entry.meaning} | ${adviseRetry(entry)} |`,
  );
  return `# Errors

Each has a page: \`svc://errors/{code}\`.

| code | meaning | try again |
|---|---|---|
${rows.join('\n')}
`;
}
