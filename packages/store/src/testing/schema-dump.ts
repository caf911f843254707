import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { MIGRATIONS_DIR, startThrowawayPostgres } from '@lending/testing';
import pg from 'pg';
import { migrate } from '../migrate.ts';
import { describeSchema } from './describe-schema.ts';

/** How column types read in TypeScript; it must say what `packages/store/src/column-types.ts` does. */
const TYPE_MAPPING = { int8: 'bigint', numeric: 'string' };

/** What the migrations add up to, by the path of the file it belongs into: the schema, and the table types for Kysely. */
export async function createSchemaDump(): Promise<Readonly<Record<string, string>>> {
  const postgres = await startThrowawayPostgres('schema');
  const client = new pg.Client({ connectionString: postgres.connectionString });
  try {
    await migrate({ connectionString: postgres.connectionString, dir: MIGRATIONS_DIR });
    await client.connect();
    return {
      'migrations/schema.sql': await describeSchema(client),
      'packages/store/src/schema.generated.ts': await generateTypes(postgres.connectionString),
    };
  } finally {
    await client.end();
    await postgres.remove();
  }
}

/** It loads `typescript` without naming it as a dependency; here that is installed under another name (docs/decisions/0039). */
const FINDS_TYPESCRIPT = `import { registerHooks } from 'node:module';
registerHooks({ resolve: (name, context, next) => next(name === 'typescript' ? 'typescript-7' : name, context) });`;

/** The generator is a command; its module does not load under plain type stripping. The log's tables are the bus's own. */
async function generateTypes(connectionString: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'schema-'));
  const file = join(folder, 'types.ts');
  const command = join(dirname(createRequire(import.meta.url).resolve('kysely-codegen')), 'cli', 'bin.js');
  const flags = ['--dialect', 'postgres', '--url', connectionString, '--out-file', file, '--log-level', 'error'];
  const scope = ['--exclude-pattern', 'log_*', '--type-mapping', JSON.stringify(TYPE_MAPPING)];
  const run = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${FINDS_TYPESCRIPT}`, command, ...flags, ...scope],
    { cwd: folder, encoding: 'utf8' },
  );
  if (run.status !== 0) throw new Error(`kysely-codegen failed: ${run.stderr || run.stdout}`);
  const text = await readFile(file, 'utf8');
  await rm(folder, { recursive: true });
  return text;
}
