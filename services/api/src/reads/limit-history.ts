import type { LimitChangeRow } from '@lending/store';
import type { Limits } from '#records/limit-fields.ts';
import type { ReadStore } from './read-store.ts';
import { shownNumber, shownTokens } from './shown-numbers.ts';

export interface LimitPageRequest {
  /** A bank's or a reserve's. */
  readonly address: string;
  readonly decimals: number;
  readonly limit: number;
  /** Slot before which the page begins; null for the first page. */
  readonly before: bigint | null;
}

export interface LimitPage {
  readonly limits: readonly Limits[];
  /** Slot to go on before; null on the last page. */
  readonly nextBefore: bigint | null;
}

/**
 * One page of how limits changed, newest first.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function readLimitPage(
  store: Pick<ReadStore, 'listLimitChanges'>,
  request: LimitPageRequest,
): Promise<LimitPage> {
  const { address, decimals, limit, before } = request;
  // One more than is shown says whether the last one shown is the oldest of all.
  const rows = await store.listLimitChanges({ address, before, limit: limit + 1 });
  const page = rows.slice(0, limit);
  const hasMore = rows.length > limit;
  return {
    limits: page.map((row, index) => toLimits(row, decimals, !hasMore && index === page.length - 1)),
    nextBefore: hasMore ? (page.at(-1)?.slot ?? null) : null,
  };
}

/** `isFirstSeen`: nothing older is known of it, so that it is no change. */
export function toLimits(row: LimitChangeRow, decimals: number, isFirstSeen: boolean): Limits {
  return {
    time: row.time.toISOString(),
    slot: Number(row.slot),
    first_seen: isFirstSeen,
    deposit_limit: shownTokens(row.deposit_limit_base, decimals),
    deposit_limit_raw: row.deposit_limit_base,
    borrow_limit: shownTokens(row.borrow_limit_base, decimals),
    borrow_limit_raw: row.borrow_limit_base,
    value_limit_usd: shownNumber(row.value_limit_usd),
  };
}
