import type { Leadership } from '#leadership.ts';

/** A leadership that a test decides. */
export function createFakeLeadership(first: Leadership['state'] = 'leading') {
  let state = first;
  let changed = Promise.withResolvers<void>();
  const leadership: Leadership = {
    get state() {
      return state;
    },
    async untilLeading(signal) {
      const aborted = new Promise<never>((_, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
      );
      aborted.catch(() => undefined);
      signal.throwIfAborted();
      while (state !== 'leading') await Promise.race([changed.promise, aborted]);
    },
  };
  return {
    leadership,
    become(next: Leadership['state']): void {
      state = next;
      changed.resolve();
      changed = Promise.withResolvers();
    },
  };
}
