import type { Check } from './check.ts';

export const docs: Check = {
  name: 'the guide is found and read',
  async run({ service }) {
    const found = await service.ask('svc_search_docs', { query: { query: 'health factor' } });
    const [first] = found.docs as { slug: string }[];
    if (first === undefined) return { faults: ['nothing is found of the health factor'] };
    const { markdown } = await service.ask('svc_get_doc', { path: { slug: first.slug } });
    return { faults: markdown.length > 100 ? [] : [`${first.slug} is empty`], figures: { slug: first.slug } };
  },
};
