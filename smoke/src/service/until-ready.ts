import { setTimeout as sleep } from 'node:timers/promises';
import type { Check } from '#checks/check.ts';

const LOOK_EVERY_MS = 500;

/** Waits until the service says that it may be asked, or for as long as it may take; what is asked then says what is missing. */
export const untilReady: Check = {
  name: 'the service becomes ready',
  async run({ service, arguments: { patienceMs } }) {
    const deadline = performance.now() + patienceMs;
    for (;;) {
      const response = await fetch(`${service.url}/readyz`);
      const body = (await response.json()) as { readonly error?: string };
      if (response.ok) return { faults: [] };
      if (performance.now() > deadline) return { faults: [body.error ?? `/readyz answers ${response.status}`] };
      await sleep(LOOK_EVERY_MS);
    }
  },
};
