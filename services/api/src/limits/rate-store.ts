import { type Database, deleteLapsedWindows, type PermitRequest, takePermits } from '@lending/store';

/** Where processes count together. Each throws STORE__UNAVAILABLE when the database does not answer. */
export function createRateStore(db: Database) {
  return {
    takePermits: (client: string, requests: readonly PermitRequest[]) => takePermits(db, client, requests),
    deleteLapsedWindows: () => deleteLapsedWindows(db),
  };
}

/** The same without the database: tests hand in their own. */
export type RateStore = ReturnType<typeof createRateStore>;
