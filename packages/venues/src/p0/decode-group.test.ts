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

  it('lists as many pairs of the premium table as are filled, at most all', () => {
    const data = Uint8Array.from(empty);
    const view = new DataView(data.buffer);
    for (let index = 0; index < 64; index++) {
      view.setUint16(552 + 8 * index, index + 1, true);
      view.setUint16(554 + 8 * index, 7, true);
      view.setUint32(556 + 8 * index, 42_949_672 + index, true);
    }
    const pairs = (count: number) => {
      view.setUint16(528, count, true);
      return decodeGroup({ address: GROUP, owner: MARGINFI_PROGRAM, data }, MARGINFI_PROGRAM).premiumPairs;
    };
    expect(pairs(2)).toEqual([
      { collateralTag: 1, liabilityTag: 7, rate: 42_949_672 },
      { collateralTag: 2, liabilityTag: 7, rate: 42_949_673 },
    ]);
    expect(pairs(0)).toEqual([]);
    expect(pairs(65)).toHaveLength(64);
  });

  it('reads the leverages of same-asset e-mode where 0.1.10 put them', () => {
    const data = Uint8Array.from(empty);
    new DataView(data.buffer).setUint32(368, 429_496_729, true);
    new DataView(data.buffer).setUint32(372, 858_993_458, true);
    const group = decodeGroup({ address: GROUP, owner: MARGINFI_PROGRAM, data }, MARGINFI_PROGRAM);
    // Just below 10 and 20, where the second is golden example 18, 19.999999976717: the program's own encoder stores these.
    expect(group.sameAssetLeverage).toEqual({ init: 2_814_749_763_829_700n, maint: 5_629_499_527_659_500n });
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
