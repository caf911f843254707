import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';

/** Every row of every table, those of the embedded log's topics among them, as text: bytes are in hex. */
export async function readTables(client: pg.Client): Promise<ReadonlyMap<string, string>> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  const texts = new Map<string, string>();
  for (const { name } of tables) {
    const { rows } = await client.query<{ line: string }>(`select row::text as line from ${name} as row`);
    texts.set(name, rows.map(({ line }) => line).join('\n'));
  }
  return texts;
}

/** Files of a data folder that are not the tables' own bytes: logs, settings, whatever was left. */
export function readFiles(folder: string, isLeftOut: (path: string) => boolean): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const entry of readdirSync(folder, { recursive: true }) as string[]) {
    const path = join(folder, entry);
    if (!isLeftOut(entry) && statSync(path, { throwIfNoEntry: false })?.isFile())
      found.set(entry, readFileSync(path, 'latin1'));
  }
  return found;
}
