import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';
import { type ActivityRow, readExecutions } from './read-activity.ts';

/** Accounts of one owner that are read at most: open ones first. */
const MOST_ACCOUNTS = 1_000;

/** One slot of an account in use; shares in full precision as decimal text. */
export interface BalanceRow {
  readonly bank: string;
  readonly slot_index: number;
  readonly asset_tag: number;
  readonly order_tag: number;
  readonly asset_shares: string;
  readonly liability_shares: string;
  /** Unix seconds, as text; of a debt the last claim of its premium. */
  readonly last_update: string;
  /** As the program encodes it. */
  readonly premium_rate: number;
  readonly premium_outstanding: string;
}

/** A lending account with its balances, by slot index. */
export interface AccountRow {
  readonly address: string;
  readonly group_address: string | null;
  readonly authority: string | null;
  readonly flags: string;
  readonly derivation_index: number | null;
  readonly third_party_id: number | null;
  readonly active_orders: number;
  /** Unix seconds since when what a liquidator may take grows; null where the account is not tagged. */
  readonly liquidation_tagged_at: bigint | null;
  readonly migrated_from: string | null;
  readonly migrated_to: string | null;
  readonly is_closed: boolean;
  readonly source: 'chain' | 'localnet';
  readonly slot: bigint;
  readonly slot_time: Date;
  readonly balances: readonly BalanceRow[];
}

/**
 * The accounts at an address or owned by it, open ones first, then by address.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function readAccountsOf(db: QueryExecutorProvider, address: string): Promise<readonly AccountRow[]> {
  const { rows } = await sql<AccountRow>`
    ${accountsWhere(sql`address = ${address} or authority = ${address}`)}
    order by is_closed, address
    limit ${sql.lit(MOST_ACCOUNTS)}
  `.execute(db);
  return rows;
}

/**
 * The accounts at these addresses, in no order; those that are no account are left out.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function readAccountsAt(
  db: QueryExecutorProvider,
  addresses: readonly string[],
): Promise<readonly AccountRow[]> {
  if (addresses.length === 0) return [];
  const { rows } = await sql<AccountRow>`
    ${accountsWhere(sql`address = any(${[...addresses]}::text[])`)}
  `.execute(db);
  return rows;
}

/** Accounts that meet a condition, with their balances by slot index. */
export function accountsWhere(condition: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select
      address, group_address, authority, flags, derivation_index, third_party_id, active_orders, liquidation_tagged_at,
      migrated_from, migrated_to, is_closed, source, slot, slot_time,
      coalesce(
        (
          -- Shares as text: a number in JSON would be read as a float.
          select json_agg(
            json_build_object(
              'bank', bank, 'slot_index', slot_index, 'asset_tag', asset_tag, 'order_tag', order_tag,
              'asset_shares', asset_shares::text, 'liability_shares', liability_shares::text, 'last_update', last_update::text,
              'premium_rate', premium_rate, 'premium_outstanding', premium_outstanding::text
            ) order by slot_index
          )
          from balance where balance.account = account.address
        ),
        '[]'
      ) as balances
    from account
    where ${condition}
  `;
}

/** A standing order that still stands. */
export interface AccountOrderRow {
  readonly address: string;
  readonly account: string;
  readonly trigger: 'stop_loss' | 'take_profit' | 'both' | 'unknown' | null;
  readonly stop_loss: string | null;
  readonly take_profit: string | null;
  readonly max_slippage: string | null;
  readonly tags: readonly number[] | null;
}

/**
 * The standing orders of accounts, by account, then by address.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function readOrdersOf(
  db: QueryExecutorProvider,
  accounts: readonly string[],
): Promise<readonly AccountOrderRow[]> {
  if (accounts.length === 0) return [];
  const { rows } = await sql<AccountOrderRow>`
    select address, account, trigger, stop_loss, take_profit, max_slippage, tags
    from account_order
    where account = any(${[...accounts]}::text[]) and not is_closed
    order by account, address
  `.execute(db);
  return rows;
}

/** A standing order to rebalance that still stands, with what it did. Numbers as decimal text; `last_executed_at` unix seconds, null never. */
export interface RebalanceOrderRow {
  readonly address: string;
  readonly account: string;
  readonly mint: string;
  readonly banks: readonly string[];
  readonly min_improvement: string;
  readonly cooldown_seconds: string;
  readonly amount_base: string | null;
  readonly keeper_tip_lamports: string;
  readonly last_executed_at: string | null;
  readonly fee_pool_lamports: string;
  /** The newest, newest first. */
  readonly executions: readonly ActivityRow[];
}

/** Executions that are read with each order. */
const EXECUTIONS = 5;

/**
 * The standing orders of accounts to rebalance, by account, then by address.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function readRebalanceOrdersOf(
  db: QueryExecutorProvider,
  accounts: readonly string[],
): Promise<readonly RebalanceOrderRow[]> {
  if (accounts.length === 0) return [];
  const { rows } = await sql<Omit<RebalanceOrderRow, 'executions'>>`
    select
      address, account, mint, banks, min_improvement, cooldown_seconds, amount_base, keeper_tip_lamports, last_executed_at,
      fee_pool_lamports
    from rebalance_order
    where account = any(${[...accounts]}::text[]) and not is_closed
    order by account, address
  `.execute(db);
  const executions = await readExecutions(db, rows, EXECUTIONS);
  return rows.map((row) => ({
    ...row,
    executions: executions.filter(({ rebalance }) => rebalance?.order === row.address),
  }));
}

/**
 * Accounts of a group that a chain is believed to have, by address: those ever written from it, without the closed ones.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function listAccountAddresses(
  db: QueryExecutorProvider,
  { group, source }: { readonly group: string; readonly source: 'chain' | 'localnet' },
): Promise<readonly string[]> {
  const { rows } = await sql<{ address: string }>`
    select address from account
    where group_address = ${group} and source = ${source} and not is_closed
    order by address
  `.execute(db);
  return rows.map(({ address }) => address);
}
