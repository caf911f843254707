// Writes what the migrations add up to: `migrations/schema.sql` for people, and the table types for Kysely.
// With --check it compares instead, and fails when a migration changed and these did not.

import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSchemaDump } from '@lending/store/testing/schema-dump.ts';

const ROOT = join(import.meta.dirname, '..');
const isCheck = process.argv.includes('--check');

const dump = await createSchemaDump();
const outdated: string[] = [];
for (const [file, text] of Object.entries(dump)) {
  const path = join(ROOT, file);
  if (!isCheck) await writeFile(path, text);
  else if ((await readFile(path, 'utf8').catch(() => '')) !== text)
    outdated.push(await showDifference(path, file, text));
}
for (const difference of outdated) console.error(difference);
if (outdated.length > 0) console.error('The schema changed: run "npm run schema:dump" and commit the result.');
process.exitCode = outdated.length > 0 ? 1 : 0;

async function showDifference(path: string, file: string, text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'schema-'));
  const wanted = join(folder, 'wanted');
  await writeFile(wanted, text);
  const { stdout } = spawnSync('diff', ['-u', '--label', file, '--label', 'from the migrations', path, wanted]);
  await rm(folder, { recursive: true });
  return stdout?.toString() || `${file} differs`;
}
