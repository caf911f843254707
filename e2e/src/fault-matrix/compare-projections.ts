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
  'bank_audit',
  'bank_limit_change',
  'bank_measure',
  'group_change',
  'oracle_price',
  'rebalance_order',
  'reserve',
  'swap_quote',
  'wallet',
  'wallet_balance',
] as const;

/**
 * Differences between two databases into which the same topics were projected; empty where there are none. The progress of `found` may lag
 * and never lead: a tip waits in memory until the tables reach it, and is lost when the indexer ends before.
 */
export async function compareProjections(expected: Tables, found: Tables): Promise<readonly string[]> {
  const [reached, said] = [await tipOf(expected), await tipOf(found)];
  const ahead = said > reached ? [`chain_progress: slot ${said}, the topics reach ${reached}`] : [];
  return [...compareDumps(await dump(expected), await dump(found)), ...ahead];
}

async function tipOf(database: Tables): Promise<bigint> {
  const [progress] = await query<{ slot: string }>(database, 'select tip_slot::text as slot from chain_progress');
  if (progress === undefined) throw new Error('the indexer never said how far it has come');
  return BigInt(progress.slot);
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
