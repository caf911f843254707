import { anyAddress } from '@lending/fakes';
import { describe, expect, it } from 'vitest';
import { createDueWallets } from './due-wallets.ts';

const [FIRST, SECOND] = [anyAddress(1), anyAddress(2)];
const EVERY_MS = 15_000;

function followed(count: number) {
  const wallets = createDueWallets(EVERY_MS);
  const addresses = Array.from({ length: count }, (_, nth) => anyAddress(nth + 1));
  for (const [nth, wallet] of addresses.entries()) wallets.add(wallet, nth);
  return { wallets, addresses };
}

describe('createDueWallets', () => {
  it('has each wallet read once every so often, the one read longest ago first', () => {
    const { wallets } = followed(2);
    expect(wallets.next(14_999, 8)).toEqual([]);
    expect(wallets.next(15_001, 8)).toEqual([FIRST, SECOND]);
    wallets.settle(FIRST, { startMs: 15_001, slot: 5n });
    expect(wallets.next(15_002, 8)).toEqual([SECOND]);
    expect(wallets.next(30_002, 1)).toEqual([SECOND]);
  });

  it('has a wallet read at once that changed, a second after its last reading at the soonest', () => {
    const { wallets } = followed(1);
    wallets.note(FIRST, 5n, 200);
    expect(wallets.next(999, 8)).toEqual([]);
    expect(wallets.next(1_000, 8)).toEqual([FIRST]);
    wallets.settle(FIRST, { startMs: 1_000, slot: 5n });
    expect(wallets.next(2_500, 8)).toEqual([]);
    wallets.note(FIRST, 9n, 2_500);
    expect(wallets.next(2_500, 8)).toEqual([FIRST]);
  });

  it.each([
    ['of a slot that the reading has seen', 7n, []],
    ['of a slot that the reading has not seen', 8n, [FIRST]],
    ['of a slot that nobody knows', null, [FIRST]],
  ])('keeps what is heard while it is being read: %s', (_what, slot, due) => {
    const { wallets } = followed(1);
    wallets.note(FIRST, 6n, 4_000);
    wallets.note(FIRST, slot, 5_010);
    wallets.settle(FIRST, { startMs: 5_000, slot: 7n });
    expect(wallets.next(6_000, 8)).toEqual(due);
  });

  it('keeps the latest of what is heard, and forgets no slot for one that is not known', () => {
    const { wallets } = followed(2);
    wallets.note(FIRST, 9n, 5_010);
    wallets.note(FIRST, 3n, 5_020);
    wallets.note(SECOND, null, 5_010);
    wallets.note(SECOND, 3n, 5_020);
    for (const wallet of [FIRST, SECOND]) wallets.settle(wallet, { startMs: 5_000, slot: 7n });
    expect(wallets.next(6_000, 8)).toEqual([FIRST, SECOND]);
  });

  it('lets those that changed go first, and some of the others with them', () => {
    const { wallets, addresses } = followed(20);
    for (const wallet of addresses.slice(10)) wallets.note(wallet, 5n, 50_000);
    expect(wallets.next(50_000, 8)).toEqual([...addresses.slice(10, 16), ...addresses.slice(0, 2)]);
    expect(wallets.next(1_500, 8)).toEqual(addresses.slice(10, 18));
  });

  it('lets others go before one that could not be read', () => {
    const { wallets } = followed(2);
    wallets.fail(FIRST, 15_001);
    expect(wallets.next(15_001, 8)).toEqual([SECOND]);
    expect(wallets.next(20_001, 8)).toEqual([SECOND, FIRST]);
    wallets.fail(FIRST, 20_001);
    wallets.settle(FIRST, { startMs: 20_002, slot: 5n });
    wallets.note(FIRST, 6n, 20_500);
    expect(wallets.next(21_002, 8)).toContain(FIRST);
  });

  it('tries one that could not be read as often as it is read otherwise, where that is often', () => {
    const wallets = createDueWallets(300);
    wallets.add(FIRST, 0);
    wallets.fail(FIRST, 400);
    expect(wallets.next(699, 8)).toEqual([]);
    expect(wallets.next(700, 8)).toEqual([FIRST]);
  });

  it('is done with what was heard before a reading began, whatever slot it has come to', () => {
    const { wallets } = followed(2);
    wallets.note(FIRST, null, 4_999);
    wallets.note(SECOND, 9n, 4_999);
    for (const wallet of [FIRST, SECOND]) wallets.settle(wallet, { startMs: 5_000, slot: 7n });
    expect(wallets.next(19_999, 8)).toEqual([]);
  });

  it('forgets a wallet that nobody follows any more', () => {
    const { wallets } = followed(1);
    wallets.delete(FIRST);
    wallets.note(FIRST, 5n, 0);
    wallets.settle(FIRST, { startMs: 0, slot: 5n });
    wallets.fail(FIRST, 0);
    expect(wallets.next(99_000, 8)).toEqual([]);
    expect(wallets.size).toBe(0);
  });
});
