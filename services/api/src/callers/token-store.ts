import { type Database, insertAccessToken, useAccessToken } from '@lending/store';
import { createAccessToken, hashAccessToken } from './access-token.ts';

/** What the doors ask about tokens, bound to a database. Throws STORE__UNAVAILABLE when it does not answer. */
export function createTokenStore(db: Database) {
  return {
    useAccessToken: (hash: Buffer) => useAccessToken(db, hash),
  };
}

/** The same without the database: tests hand in their own. */
export type TokenStore = ReturnType<typeof createTokenStore>;

/**
 * Gives a caller a token. It is answered here, once: the tables know its hash alone.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function issueAccessToken(
  db: Database,
  caller: string,
): Promise<{ readonly id: string; readonly token: string }> {
  const token = createAccessToken();
  const id = await db
    .transaction()
    .execute((transaction) => insertAccessToken(transaction, { caller, hash: hashAccessToken(token) }));
  return { id, token };
}
