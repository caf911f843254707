import { createChain } from '@lending/chain';
import { openLocalnet } from '@lending/localnet';
import { describe, expect, it } from 'vitest';

const METHOD_NOT_FOUND = { kind: 'error', code: -32601, message: 'Method not found' } as const;
const NOT_COUNTED = { ...METHOD_NOT_FOUND, methods: ['getRecentPerformanceSamples'] };
const SECONDS = 50;

describe.each([200, 250, 400])('a chain whose slots last %d ms', (slotMs) => {
  it.each([
    ['counts its slots', null],
    ['does not count them, by the clock', NOT_COUNTED],
  ] as const)('is measured where the node %s', async (_what, fault) => {
    let nowMs = 1_795_000_000_000;
    const localnet = await openLocalnet({ genesis: { kind: 'demo' }, slotMs: null, nowMs: () => nowMs });
    await localnet.start();
    // The clock is confirmed with the first block.
    localnet.ledger.advanceSlot();
    localnet.setFault(fault);
    const chain = createChain({ rpcUrls: [localnet.rpcUrl], source: 'localnet' });
    try {
      await expect(chain.fetchSlotTime()).rejects.toThrow(/performance ?samples/i);
      for (let passed = 0; passed < SECONDS * 1_000; passed += slotMs) {
        nowMs += slotMs;
        localnet.ledger.advanceSlot();
      }
      const measuredMs = Number(await chain.fetchSlotTime()) / 1_000;
      // The clock's seconds are whole, at both ends.
      expect(Math.abs(measuredMs / slotMs - 1)).toBeLessThan(2 / SECONDS);
    } finally {
      await localnet.stop();
    }
  });
});
