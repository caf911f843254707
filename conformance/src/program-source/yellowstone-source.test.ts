import { createYellowstoneSource } from '@lending/chain';
import { describeProgramSourceContract } from '@lending/chain/program-source.contract.ts';
import { describe } from 'vitest';
import { openProgramChain } from './open-program-chain.ts';
import { CLIENT_IS_BUILT, NEEDS_CLIENT } from './published-client.ts';

async function openHarness(retainedSlots: number) {
  const chain = await openProgramChain({ retainedSlots, pingMs: 50 });
  const endpoint = chain.geyser.grpcUrl;
  const source = await createYellowstoneSource({ endpoint, slotTimeoutMs: 300, maxReconnectMs: 30 });
  return { ...chain, source, replays: retainedSlots > 0 };
}

describe.skipIf(!CLIENT_IS_BUILT)(
  `createYellowstoneSource, of a server that tells again what was missed (${NEEDS_CLIENT})`,
  () => {
    describeProgramSourceContract(() => openHarness(150));
  },
);

describe.skipIf(!CLIENT_IS_BUILT)(`createYellowstoneSource, of a server that keeps nothing (${NEEDS_CLIENT})`, () => {
  describeProgramSourceContract(() => openHarness(0));
});
