export { removePostgres } from './remove-postgres.ts';
export { type EmbeddedPostgres, type PostgresLog, type StartPostgresOptions, startPostgres } from './start-postgres.ts';
