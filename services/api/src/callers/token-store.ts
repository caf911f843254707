import { type Database, useAccessToken } from '@lending/store';

/** What the doors ask about tokens, bound to a database. Throws STORE__UNAVAILABLE when it does not answer. */
export function createTokenStore(db: Database) {
  return {
    useAccessToken: (hash: Buffer) => useAccessToken(db, hash),
  };
}

/** The same without the database: tests hand in their own. */
export type TokenStore = ReturnType<typeof createTokenStore>;
