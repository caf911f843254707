import { type Database, insertAccessToken } from '@lending/store';
import { createAccessToken, hashAccessToken } from './access-token.ts';

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
