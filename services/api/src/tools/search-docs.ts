import { z } from 'zod';
import type { Guide } from '#guide/guide.ts';
import { warningsField } from '#records/reply-fields.ts';
import { inputField, numberOrText } from './input-field.ts';
import { defineTool, READ_ANNOTATIONS, type Tool } from './tool.ts';

const DEFAULT_LIMIT = 5;
const MAX_LIMIT = 100;

const input = z.strictObject({
  query: inputField(z.string().max(200), 'Words to look for', 'a text of at most 200 characters'),
  limit: inputField(
    numberOrText(z.int().min(1).max(MAX_LIMIT)),
    `Pages found at most, default ${DEFAULT_LIMIT}`,
    `a whole number from 1 to ${MAX_LIMIT}`,
  ),
});

const docSchema = z.strictObject({
  slug: z.string().describe('Pass to svc_get_doc'),
  title: z.string(),
  section: z.string().nullable().describe('The heading it was found under; null: at the top, or not searched for'),
  snippet: z.string().describe('Text around what was found; without query what the page is about'),
  score: z.number().nullable().describe('Higher is better, within this answer only; null without query'),
});

export const searchDocsOutput = z.strictObject({
  docs: z.array(docSchema).describe('Best first; without query in the order of the contents'),
  count: z.int(),
  next_cursor: z.null().describe('Always null: what was found comes at once'),
  empty_reason: z.string().optional().describe('Why nothing was found'),
  warnings: warningsField,
});

/** Finds pages of the guide. Nothing of them comes from the chain, so the answer has no `as_of`. */
export function createSearchDocs(guide: Guide): Tool {
  return defineTool({
    name: 'svc_search_docs',
    title: 'Search the docs',
    description:
      'Search the service docs: concepts, tools, risk, signing and submitting, errors, limits. Ranked pages with snippets; ' +
      'without query every page. Read one with svc_get_doc.',
    annotations: READ_ANNOTATIONS,
    rest: { method: 'GET', path: '/v1/docs' },
    input,
    output: searchDocsOutput,
    async handle({ query, limit }) {
      if (query === undefined) return listAll(guide);
      const docs = [...guide.search(query, limit ?? DEFAULT_LIMIT)];
      return {
        docs,
        count: docs.length,
        next_cursor: null,
        ...(docs.length === 0 && { empty_reason: NOTHING_FOUND }),
        warnings: [],
      };
    },
  });
}

const NOTHING_FOUND =
  'No page has any of these words — allowed: words of lending, of a tool or of an error — call again with others, or without query to list every page.';

function listAll(guide: Guide): z.output<typeof searchDocsOutput> {
  const docs = guide.list().map(({ slug, title, summary }) => {
    return { slug, title, section: null, snippet: summary, score: null };
  });
  return { docs, count: docs.length, next_cursor: null, warnings: [] };
}
