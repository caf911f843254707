import { type QueryExecutorProvider, sql } from 'kysely';

/**
 * Standing orders that a chain is believed to have, by address, each with its account: those ever written from it, without those that
 * are gone.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function listOrders(
  db: QueryExecutorProvider,
  { source }: { readonly source: 'chain' | 'localnet' },
): Promise<readonly { readonly address: string; readonly account: string }[]> {
  const { rows } = await sql<{ address: string; account: string }>`
    select address, account from account_order where source = ${source} and not is_closed order by address
  `.execute(db);
  return rows;
}

/**
 * The same of orders to rebalance.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function listRebalanceOrders(
  db: QueryExecutorProvider,
  { source }: { readonly source: 'chain' | 'localnet' },
): Promise<readonly { readonly address: string; readonly account: string }[]> {
  const { rows } = await sql<{ address: string; account: string }>`
    select address, account from rebalance_order where source = ${source} and not is_closed order by address
  `.execute(db);
  return rows;
}
