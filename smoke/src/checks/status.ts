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
