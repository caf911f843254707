import type { Check } from './check.ts';
import { freshnessFaults } from './freshness.ts';

/** What the service says of itself, at its probes and at /v1/status. */
export const status: Check = {
  name: 'ready, with every part and venue, at the chain’s own slot',
  async run({ service, node }) {
    const faults: string[] = [];
    const told = await service.ask('get_status');
    const slot = await node.ask<number>('getSlot', [{ commitment: 'confirmed' }]);
    for (const { name, ready, reason } of told.components) if (!ready) faults.push(`${name}: ${reason}`);
    for (const { venue, stale } of told.venues) if (stale) faults.push(`${venue} is stale`);
    if (told.chain === null) faults.push('nothing is known of the chain');
    else faults.push(...freshnessFaults('the status', told.chain, slot));
    for (const path of ['/healthz', '/readyz', '/metrics', '/', '/docs']) {
      const response = await fetch(service.url + path);
      await response.body?.cancel();
      if (!response.ok) faults.push(`${path} answers ${response.status}`);
    }
    return { faults, figures: { banks: told.banks, slot: told.chain?.slot, node_slot: slot, version: told.version } };
  },
};

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

/** Streams are listened to, and not asked and answered. */
const STREAM = 'svc_stream';

/** That nothing of /v1 was left out: an operation that is new needs a check, and one that only refused was not proven. */
export const everyOperation: Check = {
  name: 'every operation of /v1 was asked and answered',
  async run({ service, token, findings }) {
    const isAnswered = (id: string) =>
      (service.uses.get(id)?.answers ?? 0) > 0 ||
      (id === STREAM && findings.isStreamHeard) ||
      (token === null && /conversation/.test(id));
    const all = [...service.operations.keys()];
    const left = all.filter((id) => !isAnswered(id));
    return { faults: left.map((id) => `${id} was not answered`), figures: { operations: all.length } };
  },
};

export const noErrors: Check = {
  name: 'the service logged no error',
  async run({ errors }) {
    if (errors === null) return { skipped: 'the log of the service at --api is not ours to read' };
    return { faults: [...new Set(errors())].map((event) => `it logged ${event}`) };
  },
};

/** That nobody tried to send anything. Between the service and the node stood one who would have refused it. */
export const nothingSent: Check = {
  name: 'nothing was sent, nor tried to be',
  async run({ refusing }) {
    if (refusing === null) return { skipped: 'the service at --api asks its node by itself' };
    return {
      faults: refusing.refused.map((method) => `the service asked the node to ${method}`),
      figures: Object.fromEntries([...refusing.asked].sort(([, a], [, b]) => b - a)),
    };
  },
};
