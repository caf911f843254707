import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';
import type { BalanceRow } from './read-accounts.ts';

export type BalanceSide = 'lend' | 'borrow';

/** A balance and whose it is. */
export interface AccountBalanceRow extends BalanceRow {
  readonly account: string;
}

export interface BalancePage {
  readonly banks?: readonly string[] | undefined;
  readonly accounts?: readonly string[] | undefined;
  /** Of all accounts of this owner. */
  readonly authority?: string | undefined;
  /** Default: either. */
  readonly side?: BalanceSide | undefined;
  /** Where the page before ended. */
  readonly after?: { readonly account: string; readonly slotIndex: number } | undefined;
  readonly limit: number;
}

/** A share is the least that the program counts. */
export function heldOn(side: BalanceSide | undefined): RawBuilder<unknown> {
  if (side === 'lend') return sql`asset_shares >= 1`;
  if (side === 'borrow') return sql`liability_shares >= 1`;
  return sql`(asset_shares >= 1 or liability_shares >= 1)`;
}

/**
 * A page of balances, by account, then by slot of the account.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function listBalances(
  db: QueryExecutorProvider,
  page: BalancePage,
): Promise<readonly AccountBalanceRow[]> {
  const { banks, accounts, authority, side, after, limit } = page;
  const conditions = [heldOn(side)];
  if (banks !== undefined) conditions.push(sql`bank = any(${[...banks]}::text[])`);
  if (accounts !== undefined) conditions.push(sql`account = any(${[...accounts]}::text[])`);
  if (authority !== undefined) {
    conditions.push(sql`account = any(array(select address from account where authority = ${authority}))`);
  }
  if (after !== undefined) {
    conditions.push(sql`(account, slot_index) > (${after.account}, ${after.slotIndex}::smallint)`);
  }
  const { rows } = await sql<AccountBalanceRow>`
    select ${BALANCE_COLUMNS} from balance
    where ${sql.join(conditions, sql` and `)}
    order by account, slot_index
    limit ${limit}
  `.execute(db);
  return rows;
}

export interface LargestBalances {
  readonly banks: readonly string[];
  readonly side: BalanceSide;
  /** Where the page before of a bank ended: its shares on that side, as text, and its account. */
  readonly after?: { readonly shares: string; readonly account: string } | undefined;
  /** Of each bank. */
  readonly limit: number;
}

/**
 * The largest balances of each bank on one side, largest first, by account where they are equal.
 * Shape: by bank in the order asked for.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function listLargestBalances(
  db: QueryExecutorProvider,
  { banks, side, after, limit }: LargestBalances,
): Promise<readonly AccountBalanceRow[]> {
  if (banks.length === 0) return [];
  const shares = side === 'lend' ? sql`asset_shares` : sql`liability_shares`;
  const conditions = [sql`balance.bank = asked.bank`, heldOn(side)];
  if (after !== undefined) {
    conditions.push(
      sql`${shares} <= ${after.shares}::numeric`,
      sql`(${shares} < ${after.shares}::numeric or account > ${after.account})`,
    );
  }
  const { rows } = await sql<AccountBalanceRow>`
    select largest.*
    from unnest(${[...banks]}::text[]) with ordinality as asked (bank, nth)
    cross join lateral (
      select ${BALANCE_COLUMNS} from balance
      where ${sql.join(conditions, sql` and `)}
      order by ${shares} desc, account
      limit ${limit}
    ) as largest
    order by nth, ${sql.ref(side === 'lend' ? 'largest.asset_shares' : 'largest.liability_shares')} desc, account
  `.execute(db);
  return rows;
}

const BALANCE_COLUMNS = sql`
  balance.account, balance.bank, balance.slot_index, balance.asset_tag, balance.order_tag, balance.asset_shares,
  balance.liability_shares, balance.premium_rate::float8 as premium_rate, balance.premium_outstanding
`;
