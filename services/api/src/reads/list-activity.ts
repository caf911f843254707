import { type ActivityKind, parseFraction } from '@lending/domain';
import type { ActivityPlace, ActivityRow } from '@lending/store';
import type { Activity } from '#records/activity-fields.ts';
import { describeActivity, type WorthAt, type WorthThen } from './activity-record.ts';
import type { ReadDeps } from './read-deps.ts';
import { shownNumber } from './shown-numbers.ts';

export interface ActivityRequest {
  /** A wallet and its accounts, or an account. */
  readonly addresses: readonly string[];
  readonly kind?: ActivityKind | undefined;
  /** Inclusive. */
  readonly since?: Date | undefined;
  /** Exclusive. */
  readonly until?: Date | undefined;
  readonly limit: number;
  /** After which activity the page begins; null for the newest. */
  readonly after: ActivityPlace | null;
}

export interface ActivityEntry {
  readonly record: Activity;
  readonly place: ActivityPlace;
}

export interface ActivityPage {
  /** Newest first. */
  readonly entries: readonly ActivityEntry[];
  readonly hasMore: boolean;
}

/**
 * One page of what was done to the accounts that an address is or owns, or by them to others, newest first. A page begins after a place,
 * not at a number: what arrives meanwhile moves nothing. Prices are those recorded for the time of each activity.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function listActivity(deps: ReadDeps, request: ActivityRequest): Promise<ActivityPage> {
  const { addresses, kind, since, until, limit, after } = request;
  const rows = await deps.store.readActivity({
    addresses,
    kinds: kind === undefined ? undefined : [kind],
    since,
    until,
    before: after ?? undefined,
    limit: limit + 1,
  });
  return { entries: await describeRows(deps, rows.slice(0, limit)), hasMore: rows.length > limit };
}

/**
 * Rows of activity as callers see them, in their order, with the prices of then.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function describeRows(
  deps: Pick<ReadDeps, 'store' | 'banks'>,
  rows: readonly ActivityRow[],
): Promise<readonly ActivityEntry[]> {
  const [worthAt, banks] = await Promise.all([readWorth(deps, rows), deps.banks.get()]);
  return rows.map((row) => ({ record: describeActivity(row, banks, worthAt), place: placeOf(row) }));
}

export function placeOf(row: ActivityRow): ActivityPlace {
  return {
    slot: row.slot,
    signature: row.signature,
    instructionIndex: row.instruction_index,
    innerIndex: row.inner_index,
  };
}

const UNKNOWN: WorthThen = { priceUsd: null, exchangeRate: null };

async function readWorth({ store }: Pick<ReadDeps, 'store'>, rows: readonly ActivityRow[]): Promise<WorthAt> {
  const wanted = new Map<string, { readonly bank: string; readonly time: Date }>();
  for (const row of rows) {
    for (const bank of banksOf(row)) wanted.set(keyOf(bank, row.time), { bank, time: row.time });
  }
  const found = wanted.size === 0 ? [] : await store.readActivityPrices([...wanted.values()]);
  const worth = new Map(
    found.map(({ bank, time, price_usd: usd, exchange_rate: rate }): [string, WorthThen] => [
      keyOf(bank, time),
      { priceUsd: shownNumber(usd), exchangeRate: rate === null ? null : parseFraction(rate) },
    ]),
  );
  return (bank, time) => worth.get(keyOf(bank, time)) ?? UNKNOWN;
}

/** Of its legs, and of its liquidation, whose legs another activity may hold. */
function banksOf(row: ActivityRow): readonly string[] {
  const { liquidation } = row;
  const sides = liquidation === null ? [] : [liquidation.assetBank, liquidation.liabilityBank];
  return [...row.legs.map(({ bank }) => bank), ...sides].filter((bank) => bank !== null);
}

function keyOf(bank: string, time: Date): string {
  return `${bank} ${time.getTime()}`;
}
