import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** Where the real accounts and IDLs lie: `FIXTURES_DIR`, or beside the repository. */
export function fixturesFolder(): string {
  return resolve(ROOT, process.env.FIXTURES_DIR ?? '../shared/fixtures');
}
