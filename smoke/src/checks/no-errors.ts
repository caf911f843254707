import type { Check } from './check.ts';

export const noErrors: Check = {
  name: 'the service logged no error',
  async run({ errors }) {
    if (errors === null) return { skipped: 'the log of the service at --api is not ours to read' };
    return { faults: [...new Set(errors())].map((event) => `it logged ${event}`) };
  },
};
