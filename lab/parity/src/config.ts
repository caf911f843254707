import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/** Where recorded accounts, recorded transactions and published IDLs lie. */
export const FIXTURES = resolve(import.meta.dirname, '../../..', process.env.FIXTURES_DIR ?? '../shared/fixtures');
export const hasFixtures = existsSync(FIXTURES);
