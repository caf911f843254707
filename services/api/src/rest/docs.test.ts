import { WIRE_CODES } from '@lending/errors';
import { afterAll, describe, expect, it } from 'vitest';
import { readGuide } from '#guide/read-guide.ts';
import { getDocOutput } from '#tools/get-doc.ts';
import { searchDocsOutput } from '#tools/search-docs.ts';
import { createTestApp, fakeStore } from '../testing/test-app.ts';

const app = await createTestApp({ store: fakeStore([]) });
afterAll(() => app.close());

const get = (url: string) => app.inject(url);
const search = async (query: string) => searchDocsOutput.parse((await get(`/v1/docs?${query}`)).json());

describe('GET /v1/docs', () => {
  it('lists every page in the order of the contents without a query, whatever the limit', async () => {
    const pages = readGuide().list();
    for (const query of ['', 'query=', 'limit=2']) {
      const reply = await search(query);
      expect(reply.docs.map(({ slug }) => slug)).toEqual(pages.map(({ slug }) => slug));
      expect(reply.docs[0]).toEqual({
        slug: pages[0]?.slug,
        title: pages[0]?.title,
        section: null,
        snippet: pages[0]?.summary,
        score: null,
      });
      expect(reply).toMatchObject({ count: pages.length, next_cursor: null });
    }
  });

  it('finds five pages, or as many as asked for', async () => {
    expect((await search('query=bank')).count).toBe(5);
    expect((await search('query=bank&limit=2')).docs).toHaveLength(2);
  });

  it('says why nothing was found', async () => {
    const reply = await search('query=xyzzyq');
    expect(reply).toMatchObject({ docs: [], count: 0, empty_reason: expect.stringMatching(/without query/) });
  });
});

describe('GET /v1/docs/{slug}', () => {
  it('answers every page whole', async () => {
    for (const { slug, title, markdown } of readGuide().list()) {
      const response = await get(`/v1/docs/${slug}`);
      expect(getDocOutput.parse(response.json())).toEqual({ slug, title, markdown });
    }
  });

  it.each(Object.entries(WIRE_CODES))('has a page for %s', async (code, { change }) => {
    const { slug, markdown } = getDocOutput.parse((await get(`/v1/docs/${code}`)).json());
    expect([slug, markdown]).toEqual([code, expect.stringContaining(change)]);
  });

  it('takes a slug as pages link to it', async () => {
    expect((await get('/v1/docs/units.md')).json()).toMatchObject({ slug: 'units' });
  });

  it('offers other pages for a name that there is not, without repeating it', async () => {
    const response = await get('/v1/docs/helth-of-positions');
    expect(response.statusCode).toBe(404);
    expect(response.json()).toMatchObject({ code: 'DOC_NOT_FOUND', details: { field: 'slug' } });
    expect(response.json().details.candidates).toContain('positions');
    expect(response.payload).not.toContain('helth');
  });

  it.each(['..%2F..%2Fpackage', '%2e%2e', 'README', '__proto__'])('reads no file by the name %s', async (name) => {
    expect((await get(`/v1/docs/${name}`)).statusCode).toBe(404);
  });
});
