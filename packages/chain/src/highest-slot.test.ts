import type { Commitment } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { createHighestSlot } from './highest-slot.ts';

function seen(...answers: readonly (readonly [slot: number, commitment: Commitment | undefined])[]) {
  const highest = createHighestSlot();
  for (const [slot, commitment] of answers)
    highest.observe({ method: 'getMultipleAccounts', params: [[], { commitment }] }, { result: { context: { slot } } });
  return highest;
}

describe('createHighestSlot', () => {
  it('keeps the highest slot, whatever the order of answers', () => {
    const highest = seen([5, 'confirmed'], [9, 'confirmed'], [7, 'confirmed']);
    expect(highest.get('confirmed')).toBe(9n);
  });

  it('counts a finalized slot as confirmed, and never a processed one', () => {
    const highest = seen([5, 'confirmed'], [9, 'finalized'], [20, 'processed']);
    expect(highest.get('confirmed')).toBe(9n);
    expect(highest.get('processed')).toBe(20n);
    expect(seen([20, 'processed'], [5, 'confirmed']).get('finalized')).toBeUndefined();
  });

  it('takes a request without a commitment as finalized, as nodes do', () => {
    expect(seen([9, undefined]).get('finalized')).toBe(9n);
  });

  it('counts slots told by a subscription', () => {
    const highest = createHighestSlot();
    highest.observeSlot('confirmed', 12n);
    highest.observeSlot('confirmed', 11n);
    expect(highest.get('confirmed')).toBe(12n);
    expect(highest.get('finalized')).toBeUndefined();
  });

  it('learns nothing from answers without a context', () => {
    const highest = createHighestSlot();
    for (const response of [null, {}, { result: null }, { result: 7 }, { result: { context: { slot: 'x' } } }])
      highest.observe({ method: 'getSlot', params: [] }, response);
    expect(highest.get('processed')).toBeUndefined();
  });
});
