import type { Message } from '@lending/events';
import {
  type LimitsSeen,
  type ReserveWrite,
  recordLimitChanges,
  type Transaction,
  upsertReserves,
} from '@lending/store';

/** Writes what reserves are, and how their limits changed. An older slot never overwrites a newer one. */
export async function projectReserveUpdated(
  transaction: Transaction,
  messages: readonly Message<'reserve.updated.v1'>[],
): Promise<void> {
  await recordLimitChanges(transaction, messages.map(toLimits));
  await upsertReserves(transaction, messages.map(toRow));
}

function toLimits({ payload, slot, time, source }: Message<'reserve.updated.v1'>): LimitsSeen {
  return {
    address: payload.reserve,
    kind: 'reserve',
    venue: payload.venue,
    depositLimitBase: payload.depositLimit,
    borrowLimitBase: payload.borrowLimit,
    valueLimitUsd: null,
    source,
    slot,
    time,
  };
}

function toRow({ payload, slot, time, source }: Message<'reserve.updated.v1'>): ReserveWrite {
  return {
    address: payload.reserve,
    venue: payload.venue,
    market: payload.market,
    marketName: payload.marketName,
    mint: payload.mint,
    decimals: payload.decimals,
    receiptMint: payload.receiptMint,
    symbol: payload.symbol,
    status: payload.status,
    statusReasons: payload.statusReasons,
    depositLimitBase: payload.depositLimit,
    depositRoomBase: payload.depositRoom,
    borrowLimitBase: payload.borrowLimit,
    borrowRoomBase: payload.borrowRoom,
    withdrawRoomBase: payload.withdrawRoom,
    priceUsd: payload.priceUsd,
    priceTime: payload.priceTime,
    incentives: payload.incentives,
    source,
    slot,
    slotTime: time,
  };
}
