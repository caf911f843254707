import { type QueryExecutorProvider, sql } from 'kysely';
import { type BalanceSide, heldOn } from './list-balances.ts';
import { type AccountRow, accountsWhere } from './read-accounts.ts';

/** `address`: a page begins after it. `updated`: the newest slot first, of one slot by address. */
export type AccountOrder = 'address' | 'updated';

export interface AccountPage {
  readonly authority?: string | undefined;
  readonly group?: string | undefined;
  /** Holds or owes at least a share in one of these banks. */
  readonly banks?: readonly string[] | undefined;
  /** On which side of those banks. Default: either. */
  readonly side?: BalanceSide | undefined;
  readonly hasDebt?: boolean | undefined;
  readonly isClosed?: boolean | undefined;
  /** Written by the chain at this time or later. */
  readonly updatedSince?: Date | undefined;
  readonly order: AccountOrder;
  /** Where the page before ended; its slot counts in the order of updates only. */
  readonly after?: { readonly address: string; readonly slot: bigint } | undefined;
  readonly limit: number;
}

/**
 * A page of accounts with their balances. By address an account keeps its place, whatever happens to it between two pages; by update
 * one that changes moves to the front.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function listAccounts(db: QueryExecutorProvider, page: AccountPage): Promise<readonly AccountRow[]> {
  const { order, limit } = page;
  const newestFirst = order === 'updated';
  const { rows } = await sql<AccountRow>`
    ${accountsWhere(sql.join(conditionsOf(page), sql` and `))}
    order by ${newestFirst ? sql`slot desc, address` : sql`address`}
    limit ${limit}
  `.execute(db);
  return rows;
}

function conditionsOf(page: AccountPage) {
  const { authority, group, banks, side, hasDebt, isClosed, updatedSince, order, after } = page;
  const conditions = [sql`true`];
  if (authority !== undefined) conditions.push(sql`authority = ${authority}`);
  if (group !== undefined) conditions.push(sql`group_address = ${group}`);
  if (isClosed !== undefined) conditions.push(isClosed ? sql`is_closed` : sql`not is_closed`);
  if (updatedSince !== undefined) conditions.push(sql`slot_time >= ${updatedSince}::timestamptz`);
  if (banks !== undefined) {
    conditions.push(sql`exists (
      select from balance
      where balance.account = address and bank = any(${[...banks]}::text[]) and ${heldOn(side)}
    )`);
  }
  if (hasDebt !== undefined) {
    const owes = sql`exists (select from balance where balance.account = address and ${heldOn('borrow')})`;
    conditions.push(hasDebt ? owes : sql`not ${owes}`);
  }
  if (after !== undefined && order === 'address') conditions.push(sql`address > ${after.address}`);
  if (after !== undefined && order === 'updated') {
    conditions.push(
      sql`slot <= ${after.slot}::bigint`,
      sql`(slot < ${after.slot}::bigint or address > ${after.address})`,
    );
  }
  return conditions;
}
