import { join } from 'node:path';

/** The repository's `migrations/`. */
export const MIGRATIONS_DIR = join(import.meta.dirname, '..', '..', '..', 'migrations');
