import { createMessage, type Message, type MessageSource, type ReserveUpdated, toTime } from '@lending/events';
import type { ReserveReading } from '@lending/venues';
import { decimalOrNull, integerOrNull } from './sample-fields.ts';

/** What the schema of the event takes at most; a venue with more is not known. */
const [MAX_REASONS, MAX_INCENTIVES] = [16, 20];

/** The message of what a reserve is and how much room it has. */
export function toReserveUpdated(
  reserve: ReserveReading,
  { slot, unixTimestamp }: { readonly slot: bigint; readonly unixTimestamp: bigint },
  source: MessageSource,
): Message<'reserve.updated.v1'> {
  const key = reserve.keys.address;
  const payload = toPayload(reserve);
  return createMessage({ topic: 'reserve.updated.v1', key, slot, unixTimestamp, source, payload });
}

function toPayload({ keys, limits, price, ...reserve }: ReserveReading): ReserveUpdated {
  return {
    reserve: keys.address,
    venue: keys.venue,
    market: keys.market,
    marketName: reserve.marketName,
    mint: keys.mint,
    decimals: reserve.decimals,
    receiptMint: reserve.receiptMint,
    symbol: reserve.symbol,
    status: reserve.status,
    statusReasons: reserve.statusReasons.slice(0, MAX_REASONS),
    depositLimit: integerOrNull(limits.depositLimitBase),
    depositRoom: integerOrNull(limits.depositRoomBase),
    borrowLimit: integerOrNull(limits.borrowLimitBase),
    borrowRoom: integerOrNull(limits.borrowRoomBase),
    withdrawRoom: limits.withdrawRoomBase.toString(),
    priceUsd: decimalOrNull(price?.usdE18 ?? null),
    priceTime: price?.publishedAt == null ? null : toTime(price.publishedAt),
    incentives: reserve.incentives.slice(0, MAX_INCENTIVES).map(({ side, mint, amountPerYearBase, decimals }) => ({
      side,
      mint,
      amountPerYearBase: amountPerYearBase.toString(),
      decimals,
    })),
  };
}
