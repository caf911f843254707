import { describe, expect, it } from 'vitest';
import { juplendWithdrawalLimit, juplendWithdrawalLimitAfter, limitsOf } from './limits.ts';
import { JUPLEND_UPDATED, madeSupplyPosition, madeTokenReserve } from './testing/made-reserve.ts';

const position = madeSupplyPosition({ withdrawalLimit: 330_000_000_000_000n });
const later = JUPLEND_UPDATED + 3_600n;

describe('juplendWithdrawalLimit', () => {
  it('falls with time', () => {
    const limit = juplendWithdrawalLimit(position, later);
    expect(limit).toBe(313_333_333_333_334n);
    expect(position.amount - limit).toBe(86_666_666_666_666n);
  });

  it('falls no further than the expand percentage', () => {
    expect(juplendWithdrawalLimit(position, JUPLEND_UPDATED + 21_600n)).toBe(300_000_000_000_000n);
  });

  it('is nothing where none is stored', () => {
    expect(juplendWithdrawalLimit({ ...position, withdrawalLimit: 0n }, later)).toBe(0n);
  });
});

describe('juplendWithdrawalLimitAfter', () => {
  it('keeps the limit before, lifts it with deposits and drops it below the base', () => {
    expect(juplendWithdrawalLimitAfter(position, 350_000_000_000_000n, 313n * 10n ** 12n)).toBe(313n * 10n ** 12n);
    expect(juplendWithdrawalLimitAfter(position, 800_000_000_000_000n, 313n * 10n ** 12n)).toBe(600n * 10n ** 12n);
    expect(juplendWithdrawalLimitAfter({ ...position, baseWithdrawalLimit: 5n }, 4n, 3n)).toBe(0n);
  });
});

describe('limitsOf', () => {
  const reserve = madeTokenReserve();
  const prices = { supply: 1_029_996_710_353n, borrow: 1_045_000_000_000n };
  const holdings = { reserve, position, prices, availableBase: 67_900_000_000_000n };

  it('lets out what the limit and the vault allow', () => {
    expect(limitsOf(holdings, false, later).withdrawRoomBase).toBe(67_900_000_000_000n);
    const wide = { ...holdings, availableBase: 10n ** 15n };
    const withdrawable = (86_666_666_666_666n * 1_029_996_710_353n) / 10n ** 12n;
    expect(limitsOf(wide, false, later).withdrawRoomBase).toBe(withdrawable);
  });

  it('caps borrows by the highest utilisation and deposits not at all', () => {
    const limits = limitsOf(holdings, false, later);
    expect(limits).toMatchObject({ depositLimitBase: null, depositRoomBase: null });
    const [supply, borrow] = [413_427_469_783_881n, 345_518_800_000_000n];
    expect((limits.borrowLimitBase ?? 0n) / 10n ** 6n).toBe((supply * 95n) / 100n / 10n ** 6n);
    expect(limits.borrowRoomBase).toBe((limits.borrowLimitBase ?? 0n) - borrow);
  });

  it('has no room while locked, and none to withdraw without a position', () => {
    expect(limitsOf(holdings, true, later)).toMatchObject({
      depositRoomBase: 0n,
      borrowRoomBase: 0n,
      withdrawRoomBase: 0n,
    });
    expect(limitsOf({ ...holdings, position: null }, false, later).withdrawRoomBase).toBe(0n);
  });
});
