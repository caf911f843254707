import { describe, expect, it } from 'vitest';
import { kaminoRow } from '#testing/bank-row.ts';
import { describeRooms } from './rooms.ts';

describe('describeRooms of a bank on another venue', () => {
  const held = { total_assets_base: '700', available_liquidity_base: '650', reserve_withdraw_room_base: '600' };

  it('is the least of what the bank holds, what the pool has and what the reserve lets go', () => {
    expect(describeRooms(kaminoRow(held)).availableBase).toBe(600n);
    expect(describeRooms(kaminoRow({ ...held, reserve_withdraw_room_base: '9000' })).availableBase).toBe(650n);
    expect(describeRooms(kaminoRow({ ...held, reserve_withdraw_room_base: null })).availableBase).toBe(650n);
  });

  it('does not show the room of a whole reserve for a bank of which nobody knows what it holds', () => {
    const unknown = { ...held, total_assets_base: null, available_liquidity_base: null, exchange_rate: null };
    const rooms = describeRooms(kaminoRow({ ...unknown, reserve_deposit_room_base: '800' }));
    expect(rooms).toMatchObject({ availableBase: null, depositRoomBase: null, takesDeposits: false });
    const full = { ...unknown, reserve_withdraw_room_base: '0', reserve_deposit_room_base: '0' };
    expect(describeRooms(kaminoRow(full))).toMatchObject({ availableBase: 0n, depositRoomBase: 0n });
  });
});
