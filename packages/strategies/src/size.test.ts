import { toShownUsd } from '@lending/domain';
import { describe, expect, it } from 'vitest';
import { sizeOf } from './size.ts';
import type { StrategyBank } from './strategy-bank.ts';
import { madeBank, usd } from './testing/made-banks.ts';

type Rooms = Partial<Pick<StrategyBank, 'depositRoomUsd' | 'borrowRoomUsd' | 'liquidityUsd' | 'blockedBy'>>;

const quotedFor = (depthUsd: bigint | null) => ({ inMint: 'b', outMint: 'a', rungs: [], depthUsd, quotedAtMs: 0 });
const sized = (supply: Rooms, borrow: Rooms, leverage = 300n, depthUsd: bigint | null | undefined = undefined) =>
  sizeOf(
    { supply: madeBank(supply), borrow: madeBank(borrow), swap: depthUsd === undefined ? null : quotedFor(depthUsd) },
    leverage,
  );
const open: Rooms = { depositRoomUsd: null, borrowRoomUsd: null, liquidityUsd: usd(1_000_000) };

describe('sizeOf', () => {
  it('names each limit where it is the tightest', () => {
    expect(sized({ ...open, depositRoomUsd: usd(900) }, open)).toEqual({
      sizeUsd: usd(300),
      bindingConstraint: 'deposit_cap',
    });
    expect(sized(open, { ...open, borrowRoomUsd: usd(900) })).toEqual({
      sizeUsd: usd(450),
      bindingConstraint: 'borrow_cap',
    });
    expect(sized(open, { ...open, liquidityUsd: usd(900) }).bindingConstraint).toBe('liquidity');
    expect(sized(open, open, 300n, usd(900))).toEqual({ sizeUsd: usd(450), bindingConstraint: 'swap_depth' });
  });

  it('asks each side for its own rooms only', () => {
    const none: Rooms = { depositRoomUsd: 0n, borrowRoomUsd: 0n, liquidityUsd: 0n };
    const { sizeUsd } = sized({ ...none, depositRoomUsd: null }, { ...open, depositRoomUsd: 0n });
    expect(sizeUsd).toBe(usd(500_000));
  });

  it('is nothing where a room is full', () => {
    expect(sized({ ...open, depositRoomUsd: 0n }, { ...open, borrowRoomUsd: 0n, liquidityUsd: 0n })).toEqual({
      sizeUsd: 0n,
      bindingConstraint: 'deposit_cap',
    });
    expect(sized(open, open, 300n, 0n)).toEqual({ sizeUsd: 0n, bindingConstraint: 'swap_depth' });
  });

  it('is nothing while a bank of either side cannot be used', () => {
    const blocked = { sizeUsd: 0n, bindingConstraint: 'state' };
    expect(sized({ ...open, blockedBy: 'stale_price' }, open)).toEqual(blocked);
    expect(sized({ ...open, depositRoomUsd: 0n }, { ...open, blockedBy: 'paused_group' })).toEqual(blocked);
  });

  it('promises nothing of liquidity that nobody knows', () => {
    expect(sized(open, { ...open, liquidityUsd: null })).toEqual({ sizeUsd: 0n, bindingConstraint: 'liquidity' });
  });

  it('needs nothing of the debt at a leverage of 1', () => {
    const closed: Rooms = { borrowRoomUsd: 0n, liquidityUsd: null };
    expect(sized({ ...open, depositRoomUsd: usd(900) }, closed, 100n, 0n)).toEqual({
      sizeUsd: usd(900),
      bindingConstraint: 'deposit_cap',
    });
  });

  it('stops at what anybody owns where nothing of the pair does', () => {
    const most = { sizeUsd: usd(1_000_000_000_000), bindingConstraint: 'balance' };
    expect(sized(open, open, 100n)).toEqual(most);
    expect(sized({ ...open, depositRoomUsd: usd(5_000_000_000_000) }, open, 100n)).toEqual(most);
  });

  it('rounds down', () => {
    const { sizeUsd } = sized({ ...open, depositRoomUsd: 1_000n }, open);
    expect(sizeUsd).toBe(333n);
    expect(toShownUsd(sizeUsd)).toBeLessThan(1);
  });
});
