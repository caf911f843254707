import type { Check } from './check.ts';

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
