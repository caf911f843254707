import { describe, expect, it } from 'vitest';
import { openLocalnet } from '../open-localnet.ts';
import { bidInstructions } from './bid.ts';

describe('bidInstructions', () => {
  it('is the same for the same words, and of different price for others', () => {
    expect(bidInstructions('one')).toEqual(bidInstructions('one'));
    expect(bidInstructions('one')).not.toEqual(bidInstructions('another'));
  });
});

describe('people who bid', () => {
  it('leave samples of recent fees that are no zeros, for the accounts they write', async () => {
    const localnet = await openLocalnet({ genesis: { kind: 'demo' }, slotMs: null, transactionsPerSecond: 20 });
    for (let slot = 0; slot < 20; slot += 1) localnet.ledger.advanceSlot();
    localnet.ledger.advanceSlot();
    const landed = localnet.ledger.blocks.flatMap(({ transactions }) => transactions);
    expect(landed.length).toBeGreaterThan(50);
    const prices = new Set(landed.map(({ unitPrice }) => unitPrice));
    expect(prices.size).toBeGreaterThan(20);
    expect([...prices].every((price) => price >= 1_000n && price < 25_000n)).toBe(true);
    await localnet.stop();
  });
});
