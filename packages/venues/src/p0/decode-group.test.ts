import { MARGINFI_PROGRAM, type MarginfiGroup, marginfiGroupLayout } from '@lending/programs';
import { describe, expect, it } from 'vitest';
import { GROUP } from '#testing/made-bank.ts';
import { decodeGroup, isGroupPaused } from './decode-group.ts';

const empty = new Uint8Array(marginfiGroupLayout.fixedSize);
empty.set(marginfiGroupLayout.discriminator);
const zero = marginfiGroupLayout.decode(empty);
const decode = (fields: Partial<MarginfiGroup>) => {
  const data = Uint8Array.from(marginfiGroupLayout.encode({ ...zero, ...fields }));
  return decodeGroup({ address: GROUP, owner: MARGINFI_PROGRAM, data }, MARGINFI_PROGRAM);
};
const feeStateCache = { ...zero.feeStateCache, programFeeRate: 5n, programFeeFixed: 7n };
const paused = { ...zero.panicStateCache, pauseFlags: 1, pauseStartTimestamp: 1000n };

describe('decodeGroup', () => {
  it('charges program fees only when the group says so', () => {
    expect(decode({ feeStateCache, groupFlags: 1n }).programFee).toEqual({ rate: 5n, fixedApr: 7n });
    expect(decode({ feeStateCache, groupFlags: 2n }).programFee).toBeNull();
  });

  it('refuses a bank', () => {
    const data = empty.map((byte, index) => (index === 0 ? byte ^ 1 : byte));
    expect(() => decodeGroup({ address: GROUP, owner: MARGINFI_PROGRAM, data }, MARGINFI_PROGRAM)).toThrowError(
      expect.objectContaining({ code: 'DECODE__DISCRIMINATOR_MISMATCH' }),
    );
  });
});

describe('isGroupPaused', () => {
  it('holds for six hours from the start, and no longer', () => {
    const group = decode({ panicStateCache: paused });
    expect(isGroupPaused(group, 1000n + 21_599n)).toBe(true);
    expect(isGroupPaused(group, 1000n + 21_600n)).toBe(false);
  });

  it.each([
    ['0.1.7', 1_800n],
    ['0.1.8', 604_800n],
    ['0.1.9', 21_600n],
  ] as const)('lasts in %s as long as that release says', (version, seconds) => {
    const group = decode({ panicStateCache: paused });
    expect(isGroupPaused(group, 999n + seconds, version)).toBe(true);
    expect(isGroupPaused(group, 1000n + seconds, version)).toBe(false);
  });

  it('holds before the start of an extended pause', () => {
    expect(isGroupPaused(decode({ panicStateCache: paused }), 900n)).toBe(true);
  });

  it('does not hold without the flag, whatever the start says', () => {
    expect(isGroupPaused(decode({ panicStateCache: { ...paused, pauseFlags: 2 } }), 1000n)).toBe(false);
  });
});
