import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';

/** What a running demo has, by kind: enough to ask about, not everything. */
export interface DemoValues {
  readonly bank: readonly string[];
  readonly reserve: readonly string[];
  readonly account: readonly string[];
  readonly wallet: readonly string[];
  /** Accounts and wallets. */
  readonly address: readonly string[];
  readonly signature: readonly string[];
}

/** Reads them from the tables of the embedded service with this data folder. */
export async function readDemoValues(dataDir: string): Promise<DemoValues> {
  const client = new pg.Client({ connectionString: await readFile(join(dataDir, 'database-url'), 'utf8') });
  await client.connect();
  try {
    const list = async (sql: string) => (await client.query<{ value: string }>(sql)).rows.map(({ value }) => value);
    const account = await list(`
      select account as value from v_balance
      group by 1 order by bool_or(side = 'borrow') desc, count(*) desc, 1 limit 10`);
    const wallet = await list('select distinct authority as value from v_account order by 1 limit 10');
    return {
      bank: await list('select address as value from bank order by 1'),
      reserve: await list('select address as value from reserve order by 1 limit 10'),
      account,
      wallet,
      address: [...account, ...wallet],
      signature: await list('select signature as value from v_activity group by 1 order by 1 limit 10'),
    };
  } finally {
    await client.end();
  }
}
