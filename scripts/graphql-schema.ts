import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { printGraphqlSchema } from '@lending/api';

/** Writes `schema.graphql` from the records themselves, or with `--check` compares it and fails on a difference. */
const path = fileURLToPath(new URL('../services/api/src/graphql/schema.graphql', import.meta.url));
const text = printGraphqlSchema();
if (process.argv.includes('--check')) {
  if (readFileSync(path, 'utf8') !== text) {
    console.error('schema.graphql differs from the records; run: npm run schema:graphql');
    process.exitCode = 1;
  }
} else {
  writeFileSync(path, text);
}
