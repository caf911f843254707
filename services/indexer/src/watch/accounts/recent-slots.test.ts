import { anyAddress } from '@lending/fakes';
import { expect, it } from 'vitest';
import { createRecentSlots } from './recent-slots.ts';

const [A, B, C] = [anyAddress(1), anyAddress(2), anyAddress(3)];

it('createRecentSlots keeps the newest slot of the latest accounts', () => {
  const recent = createRecentSlots(2);
  recent.add(A, 5n);
  recent.add(A, 4n);
  recent.add(B, 6n);
  expect([recent.slotOf(A), recent.slotOf(B), recent.slotOf(C)]).toEqual([5n, 6n, null]);
  recent.add(A, 7n);
  recent.add(C, 8n);
  expect([recent.slotOf(A), recent.slotOf(B), recent.slotOf(C)]).toEqual([7n, null, 8n]);
});
