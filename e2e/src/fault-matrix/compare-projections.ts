import { compareDumps } from '../chaos/dump-tables.ts';
import { query, readRows, type Tables } from '../history/tables.ts';

/** What messages write, to the last column. Samples are compared beside these: each database numbers its series by itself. */
const PROJECTED = [
  'account',
  'account_order',
  'activity',
  'activity_leg',
  'balance',
  'bank',
  'bank_limit_change',
  'bank_measure',
  'chain_progress',
  'oracle_price',
  'reserve',
  'swap_quote',
  'wallet',
  'wallet_balance',
] as const;

/** Where two databases differ into which the same topics were projected; empty when nowhere. */
export async function compareProjections(expected: Tables, found: Tables): Promise<readonly string[]> {
  return compareDumps(await dump(expected), await dump(found));
}

async function dump(database: Tables): Promise<ReadonlyMap<string, readonly string[]>> {
  const tables = new Map<string, readonly string[]>();
  for (const table of PROJECTED) {
    const rows = await query<{ row: string }>(database, `select to_json(kept)::text as row from "${table}" as kept`);
    tables.set(
      table,
      rows.map(({ row }) => row),
    );
  }
  const samples = await readRows(database, 'rate_sample');
  tables.set(
    'rate_sample',
    samples.map((sample) => JSON.stringify(sample, (_, value) => (typeof value === 'bigint' ? String(value) : value))),
  );
  return tables;
}
