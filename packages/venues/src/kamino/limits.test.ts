import { describe, expect, it } from 'vitest';
import { capRoom, limitsOf, sizesOf } from './limits.ts';
import { statusOf } from './status.ts';
import { madeMarket, madeReserve, U64_MAX } from './testing/made-reserve.ts';

const NOW = 1_762_201_837n;
const limits = (reserve = madeReserve(), market = madeMarket()) => limitsOf(reserve, statusOf(reserve, market), NOW);
const NO_WINDOW = {
  configCapacity: 0n,
  currentTotal: 0n,
  lastIntervalStartTimestamp: 0n,
  configIntervalLengthSeconds: 0n,
};

describe('limitsOf', () => {
  it('gives the rooms of vector K1', () => {
    expect(limits()).toEqual({
      depositLimitBase: 1_000_000_000_000_000n,
      depositRoomBase: 412_489_313_726_904n,
      borrowLimitBase: 700_000_000_000_000n,
      // Liquidity is what binds: 241,836,705.507093 are left of the limit, and 201,965,724.470554 of the window.
      borrowRoomBase: 129_639_221_256_987n,
      withdrawRoomBase: 129_639_221_256_987n,
    });
  });

  const liquidity = { totalAvailableAmount: 400_000_000_000_000n };
  it.each([
    ['the limit', { liquidity, config: { debtWithdrawalCap: NO_WINDOW } }, 241_836_705_507_093n],
    ['the window', { liquidity }, 201_965_724_470_554n],
    ['the limit outside elevation groups', { config: { borrowLimitOutsideElevationGroup: 5n } }, 5n],
    [
      'what is borrowed outside elevation groups',
      { borrowedAmountOutsideElevationGroup: 6n, config: { borrowLimitOutsideElevationGroup: 5n } },
      0n,
    ],
    ['full use to a percentage', { config: { utilizationLimitBlockBorrowingAbovePct: 80 } }, 11_845_254_525_570n],
    ['use above the percentage', { config: { utilizationLimitBlockBorrowingAbovePct: 70 } }, 0n],
    [
      'what the queue is owed',
      { withdrawQueue: { ...madeReserve().withdrawQueue, queuedCollateralAmount: 100_000_000_000_000n } },
      13_415_936_308_164n,
    ],
  ])('lets borrowers have no more than %s', (_what, fields, room) => {
    expect(limits(madeReserve(fields)).borrowRoomBase).toBe(room);
  });

  it('lets withdrawals have what the queue and the window leave', () => {
    const withdrawQueue = { ...madeReserve().withdrawQueue, queuedCollateralAmount: 500_000_000_000_000n };
    expect(limits(madeReserve({ withdrawQueue })).withdrawRoomBase).toBe(0n);
    expect(sizesOf(madeReserve({ withdrawQueue })).availableBase).toBe(0n);
    const depositWithdrawalCap = { ...madeReserve().config.depositWithdrawalCap, currentTotal: 199_999_999_999_990n };
    expect(limits(madeReserve({ config: { depositWithdrawalCap } })).withdrawRoomBase).toBe(10n);
  });

  it('names no limit where there is none', () => {
    const none = limits(madeReserve({ config: { depositLimit: U64_MAX, borrowLimit: U64_MAX } }));
    expect(none).toMatchObject({ depositLimitBase: null, depositRoomBase: null, borrowLimitBase: null });
  });

  it('has no room where nothing may be done', () => {
    const none = { depositRoomBase: 0n, borrowRoomBase: 0n };
    expect(limits(madeReserve(), madeMarket({ emergencyMode: 1 }))).toMatchObject({ ...none, withdrawRoomBase: 0n });
    expect(limits(madeReserve({ config: { status: 1 } }))).toMatchObject({
      ...none,
      withdrawRoomBase: 129_639_221_256_987n,
    });
    expect(limits(madeReserve(), madeMarket({ borrowDisabled: 1 }))).toMatchObject({
      depositRoomBase: 412_489_313_726_904n,
      borrowRoomBase: 0n,
    });
  });
});

describe('capRoom', () => {
  const cap = madeReserve().config.depositWithdrawalCap;

  it('gives what vector K1 has left: more than the capacity, for more came in than left', () => {
    expect(capRoom(cap, NOW)).toBe(200_354_446_203_304n);
    expect(capRoom(madeReserve().config.debtWithdrawalCap, NOW)).toBe(201_965_724_470_554n);
  });

  it.each([
    ['begins anew once its interval is over', { lastIntervalStartTimestamp: NOW - 86_400n }, 200_000_000_000_000n],
    ['goes on within its interval', { lastIntervalStartTimestamp: NOW - 86_399n }, 200_354_446_203_304n],
    ['lets nothing through at a negative capacity', { configCapacity: -1n }, 0n],
    ['lets nothing through once used up', { currentTotal: 200_000_000_000_001n }, 0n],
    ['lets anything through without an interval', { configIntervalLengthSeconds: 0n }, U64_MAX],
  ])('%s', (_what, fields, room) => {
    expect(capRoom({ ...cap, ...fields }, NOW)).toBe(room);
  });
});
