import { createChain } from '@lending/chain';

/** A node that never answers. */
export function createAbsentNode() {
  return createChain({ rpcUrls: ['http://127.0.0.1:1'], maxRounds: 1, deadlineMs: 500 });
}
