import { LendingError } from '@lending/errors';
import { z } from 'zod';
import type { Guide } from '#guide/guide.ts';
import { requiredField } from './input-field.ts';
import { defineTool, READ_ANNOTATIONS, type Tool } from './tool.ts';

const input = z.strictObject({
  slug: requiredField(
    z.string().min(1).max(100),
    'Such as units',
    'the slug of a page, such as units, or an error code',
  ),
});

export const getDocOutput = z.strictObject({
  slug: z.string(),
  title: z.string(),
  markdown: z.string().describe('The whole page'),
});

/** Reads one page of the guide, never cut. */
export function createGetDoc(guide: Guide): Tool {
  return defineTool({
    name: 'svc_get_doc',
    title: 'Read one doc',
    description: 'Read one page of the service docs as Markdown, by a slug of svc_search_docs or an error code.',
    annotations: READ_ANNOTATIONS,
    rest: { method: 'GET', path: '/v1/docs/:slug' },
    errors: ['DOC_NOT_FOUND'],
    input,
    output: getDocOutput,
    async handle({ slug }) {
      const page = guide.get(slug);
      if (page === undefined) throw notFound(guide, slug);
      return { slug: page.slug, title: page.title, markdown: page.markdown };
    },
  });
}

/** How many pages an error offers instead. */
const CANDIDATES = 5;

/** What was asked for may be the words of a question: then these are the pages that answer it. */
function notFound(guide: Guide, slug: string): LendingError {
  const candidates = guide.search(slug, CANDIDATES).map((hit) => hit.slug);
  return new LendingError('READ__DOC_NOT_FOUND', {
    message:
      'No page of the docs has the name given as slug — allowed: one of details.candidates, or a slug that svc_search_docs gives — call svc_search_docs without query to list every page',
    context: { field: 'slug', candidates },
  });
}
