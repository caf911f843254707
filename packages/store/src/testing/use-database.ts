import { afterAll, afterEach, beforeAll, beforeEach, inject } from 'vitest';
import { createStore, type Database, type Store } from '../create-store.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** URL of the broker that hands out databases. */
    databaseBroker: string;
  }
}

/** A migrated, empty database of the test's own on a real server. Can be used inside hooks and tests, not before. */
export interface TestDatabase {
  readonly connectionString: string;
  readonly store: Store;
  readonly db: Database;
}

/**
 * Gives the enclosing file or `describe` a database, or each of its tests with `per: 'test'`, and drops it afterwards, open
 * connections included.
 */
export function useDatabase(options: { readonly per?: 'file' | 'test' } = {}): TestDatabase {
  let current: { connectionString: string; store: Store } | undefined;
  const [before, after] = options.per === 'test' ? [beforeEach, afterEach] : [beforeAll, afterAll];
  before(async () => {
    const { connectionString } = await ask('POST', '/');
    current = {
      connectionString: connectionString ?? '',
      store: createStore({ connectionString: connectionString ?? '' }),
    };
  });
  after(async () => {
    if (current === undefined) return;
    const { connectionString, store } = current;
    current = undefined;
    await store.close();
    await ask('DELETE', new URL(connectionString).pathname);
  });
  const opened = (): { connectionString: string; store: Store } => {
    if (current === undefined) throw new Error('The database exists only while hooks and tests run');
    return current;
  };
  return {
    get connectionString() {
      return opened().connectionString;
    },
    get store() {
      return opened().store;
    },
    get db() {
      return opened().store.db;
    },
  };
}

async function ask(method: string, path: string): Promise<{ connectionString?: string }> {
  const response = await fetch(inject('databaseBroker') + path, { method });
  if (!response.ok) throw new Error(`Test database: ${await response.text()}`);
  return (await response.json()) as { connectionString?: string };
}
