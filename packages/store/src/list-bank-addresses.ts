import { type QueryExecutorProvider, sql } from 'kysely';

/**
 * Banks of a group that a chain is believed to have, by address: those ever written from it, without the ones already known to
 * be gone.
 */
export async function listBankAddresses(
  db: QueryExecutorProvider,
  { group, source }: { readonly group: string; readonly source: 'chain' | 'localnet' },
): Promise<readonly string[]> {
  const { rows } = await sql<{ address: string }>`
    select address
    from bank
    where group_address = ${group}
      and source = ${source}
      and not exists (
        select from bank_rejection where bank_rejection.bank = bank.address and bank_rejection.reason = 'account_gone'
      )
    order by address
  `.execute(db);
  return rows.map(({ address }) => address);
}
