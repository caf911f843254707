import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WIRE_CODES, type WireCodeEntry } from '@lending/errors';
import { type McpServer, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server';

const GUIDE_DIR = join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'guide');

const MARKDOWN = 'text/markdown';

/** A page changes only with the program that serves it, and says the same to everyone. */
const CACHE_HINT = { ttlMs: 3_600_000, cacheScope: 'public' } as const;

const errorPages: ReadonlyMap<string, string> = new Map(
  Object.entries(WIRE_CODES).map(([code, entry]) => [code, renderErrorPage(code, entry)]),
);

/** What an agent reads once: the units, the venues' ways, and what each error code means. Reads the guide's pages when it is made. */
export function createResources(): (server: McpServer) => void {
  const units = readFileSync(join(GUIDE_DIR, 'units.md'), 'utf8');
  const venues = readFileSync(join(GUIDE_DIR, 'venues.md'), 'utf8');
  const index = renderErrorIndex();
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
      new ResourceTemplate('svc://errors/{code}', { list: undefined }),
      {
        title: 'One error code',
        description: 'What it means, what to change, whether to try again',
        mimeType: MARKDOWN,
        cacheHint: CACHE_HINT,
      },
      (uri, { code }) => {
        const text = errorPages.get(String(code));
        if (text === undefined) throw new ResourceNotFoundError(uri.href);
        return { contents: [{ uri: uri.href, mimeType: MARKDOWN, text }] };
      },
    );
  };
}

function addPage(server: McpServer, name: string, address: string, description: string, text: string): void {
  const config = { title: name, description, mimeType: MARKDOWN, cacheHint: CACHE_HINT };
  server.registerResource(name, address, config, () => ({ contents: [{ uri: address, mimeType: MARKDOWN, text }] }));
}

function renderErrorPage(code: string, entry: WireCodeEntry): string {
  return `# ${code}

${entry.meaning}. HTTP status ${entry.status}.

**What to change:** ${entry.change}.

**Try again:** ${adviseRetry(entry)}.
`;
}

function adviseRetry({ retry, retryAfterS }: WireCodeEntry): string {
  switch (retry) {
    case 'never':
      return 'no, the same call fails again; change it first';
    case 'backoff':
      return retryAfterS === undefined ? 'yes, later' : `yes, after ${retryAfterS} seconds (\`retry_after_s\`)`;
    case 'varies':
      return 'once, and only when `retryable` is true';
    default:
      return retry satisfies never;
  }
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
