import { createYellowstoneSource } from '@lending/chain';
import { describeProgramSourceContract } from '@lending/chain/program-source.contract.ts';
import { describe } from 'vitest';
import { openProgramChain } from './open-program-chain.ts';

async function openHarness(retainedSlots: number) {
  const chain = await openProgramChain({ retainedSlots, pingMs: 50 });
  const endpoint = chain.geyser.grpcUrl;
  const source = await createYellowstoneSource({ endpoint, slotTimeoutMs: 300, maxReconnectMs: 30 });
  return { ...chain, source, replays: retainedSlots > 0 };
}

describe('createYellowstoneSource, of a server that tells again what was missed', () => {
  describeProgramSourceContract(() => openHarness(150));
});

describe('createYellowstoneSource, of a server that keeps nothing', () => {
  describeProgramSourceContract(() => openHarness(0));
});
