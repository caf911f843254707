import { setTimeout as sleep } from 'node:timers/promises';

/** How often a sender looks and sends again. */
export interface Pace {
  /** Between two looks at a status, ms. */
  readonly pollMs: number;
  /** Between two sendings of the same bytes, ms: a node may drop what it takes, and a transaction lands only once. */
  readonly resendMs: number;
  readonly nowMs: () => number;
  readonly wait: (ms: number) => Promise<void>;
}

export const DEFAULT_PACE: Pace = {
  pollMs: 400,
  resendMs: 2_000,
  nowMs: Date.now,
  wait: async (ms) => {
    await sleep(ms);
  },
};
