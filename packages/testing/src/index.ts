export { MIGRATIONS_DIR } from './migrations-dir.ts';
export { type TestDatabase, useDatabase } from './use-database.ts';
