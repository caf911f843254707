import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';

/** Writes a caller's token into the tables of an embedded instance, as `npm run token -- create` does. */
export async function issueToken(dataDir: string, caller: string): Promise<string> {
  const token = `lend_${randomBytes(32).toString('base64url')}`;
  const client = new pg.Client({ connectionString: await readFile(join(dataDir, 'database-url'), 'utf8') });
  await client.connect();
  try {
    const hash = createHash('sha256').update(token).digest();
    await client.query('insert into caller (name) values ($1) on conflict (name) do nothing', [caller]);
    await client.query('insert into access_token (caller, hash) select id, $2 from caller where name = $1', [
      caller,
      hash,
    ]);
    return token;
  } finally {
    await client.end();
  }
}
