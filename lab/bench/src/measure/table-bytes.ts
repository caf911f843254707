import { Client } from 'pg';

/** Bytes of tables on disk, with their indexes and what stands aside. */
export async function tableBytes(connectionString: string, tables: readonly string[]): Promise<number> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<{ bytes: string }>(
      'select sum(pg_total_relation_size(oid))::text as bytes from pg_class where oid = any($1::regclass[])',
      [tables],
    );
    return Number(rows[0]?.bytes ?? Number.NaN);
  } finally {
    await client.end();
  }
}
