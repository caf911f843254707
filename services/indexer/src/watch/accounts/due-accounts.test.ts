import { anyAddress } from '@lending/fakes';
import { describe, expect, it } from 'vitest';
import { createDueAccounts } from './due-accounts.ts';

const [A, B, C] = [anyAddress(1), anyAddress(2), anyAddress(3)];

describe('createDueAccounts', () => {
  it('hands out the oldest marks first, once they are ripe', () => {
    let nowMs = 0;
    const due = createDueAccounts(() => nowMs);
    due.add([A, B], 10n);
    nowMs = 50;
    due.add([C], 11n);
    expect(due.ripe(50, 9)).toEqual([
      { account: A, slot: 10n },
      { account: B, slot: 10n },
    ]);
    nowMs = 100;
    expect(due.ripe(50, 9).map(({ account }) => account)).toEqual([A, B, C]);
    expect(due.ripe(50, 1).map(({ account }) => account)).toEqual([A]);
  });

  it('asks for the newest slot that touched an account, and holds at the oldest', () => {
    const due = createDueAccounts(() => 0);
    due.add([A], 10n);
    due.add([A], 14n);
    due.add([A], 12n);
    expect(due.ripe(0, 9)).toEqual([{ account: A, slot: 14n }]);
    expect(due.oldest()).toBe(10n);
  });

  it('is done with an account that was seen at its newest slot or later, not before', () => {
    const due = createDueAccounts(() => 0);
    due.add([A], 8n);
    due.add([A, B], 10n);
    due.seen(A, 9n);
    expect(due.size).toBe(2);
    due.seen(A, 10n);
    expect(due.ripe(0, 9)).toEqual([{ account: B, slot: 10n }]);
    due.done([B], 11n);
    expect([due.size, due.oldest()]).toEqual([0, null]);
  });
});
