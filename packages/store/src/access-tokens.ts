import { type QueryExecutorProvider, sql } from 'kysely';
import type { Transaction } from './create-store.ts';

/** Whoever holds a token. */
export interface CallerRow {
  readonly id: string;
  /** As whoever issued the token called it. */
  readonly name: string;
}

/** A token as a list shows it: itself is nowhere. */
export interface AccessTokenRow {
  readonly id: string;
  readonly caller: string;
  readonly created_at: Date;
  /** To the minute; null: never. */
  readonly last_used_at: Date | null;
  readonly revoked_at: Date | null;
}

/**
 * Keeps the hash of a token of a caller, who begins to be one with his first.
 * @returns the token's id.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function insertAccessToken(
  transaction: Transaction,
  { caller, hash }: { readonly caller: string; readonly hash: Buffer },
): Promise<string> {
  await sql`insert into caller (name) values (${caller}) on conflict (name) do nothing`.execute(transaction);
  const { rows } = await sql<{ readonly id: string }>`
    insert into access_token (caller, hash) select id, ${hash} from caller where name = ${caller} returning id
  `.execute(transaction);
  const [row] = rows;
  if (row === undefined) throw new TypeError('a caller is gone within the transaction that made him');
  return row.id;
}

/**
 * Whose token it is; null for one that nobody has, or that was revoked.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function useAccessToken(db: QueryExecutorProvider, hash: Buffer): Promise<CallerRow | null> {
  const { rows } = await sql<CallerRow>`
    with used as (
      update access_token set last_used_at = now()
      where hash = ${hash} and revoked_at is null
        and (last_used_at is null or last_used_at < now() - interval '1 minute')
    )
    select caller.id, caller.name
    from access_token join caller on caller.id = access_token.caller
    where access_token.hash = ${hash} and access_token.revoked_at is null
  `.execute(db);
  return rows[0] ?? null;
}

/**
 * Every token there ever was, callers by name, of each the newest first.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function listAccessTokens(db: QueryExecutorProvider): Promise<readonly AccessTokenRow[]> {
  const { rows } = await sql<AccessTokenRow>`
    select access_token.id, caller.name as caller, access_token.created_at, last_used_at, revoked_at
    from access_token join caller on caller.id = access_token.caller
    order by caller.name, access_token.created_at desc, access_token.id
  `.execute(db);
  return rows;
}

/**
 * Ends a token by its id, or all of a caller by his name.
 * @returns the ids of those that worked until now.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function revokeAccessTokens(db: QueryExecutorProvider, which: string): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly id: string }>`
    update access_token set revoked_at = now()
    from caller
    where caller.id = access_token.caller and revoked_at is null
      and (access_token.id::text = ${which} or caller.name = ${which})
    returning access_token.id
  `.execute(db);
  return rows.map(({ id }) => id);
}
