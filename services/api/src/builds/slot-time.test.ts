import { LendingError } from '@lending/errors';
import type { Logger } from '@lending/runtime';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createSlotTime } from './slot-time.ts';

const GUESS = 200_000n;
const LOGGER = { debug() {} } as unknown as Logger;
let nowMs: number;
let asked: number;
let answer: () => Promise<bigint>;

beforeEach(() => {
  [nowMs, asked] = [1_000_000, 0];
  answer = async () => 400_000n;
});

function create() {
  const fetchSlotTime = async () => {
    asked += 1;
    return answer();
  };
  return createSlotTime({ fetchSlotTime }, () => nowMs, LOGGER);
}

const refuse = async () => {
  throw new LendingError('CHAIN__RPC_INVALID');
};

describe('the length of a slot', () => {
  it('is measured before it is reported, and again after a minute, beside which the last one serves', async () => {
    const slotTime = create();
    expect(await slotTime()).toBe(400_000n);
    answer = async () => 300_000n;
    nowMs += 59_000;
    expect(await slotTime()).toBe(400_000n);
    expect(asked).toBe(1);
    nowMs += 1_000;
    expect(await slotTime()).toBe(400_000n);
    await vi.waitFor(async () => expect(await slotTime()).toBe(300_000n));
    expect(asked).toBe(2);
  });

  it('is a guess no longer than until the node can be measured', async () => {
    answer = refuse;
    const slotTime = create();
    expect(await slotTime()).toBe(GUESS);
    answer = async () => 400_000n;
    // A node that answered nothing is left alone for a second.
    nowMs += 999;
    expect(await slotTime()).toBe(GUESS);
    expect(asked).toBe(1);
    nowMs += 1;
    expect(await slotTime()).toBe(400_000n);
  });

  it('stays as it was measured where the node does not answer later', async () => {
    const slotTime = create();
    await slotTime();
    answer = refuse;
    nowMs += 60_000;
    expect(await slotTime()).toBe(400_000n);
    expect(asked).toBe(2);
    expect(await slotTime()).toBe(400_000n);
  });
});
