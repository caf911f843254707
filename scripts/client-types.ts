import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { renderWireTypes } from './render-wire-types.ts';

/**
 * Writes the types of the JavaScript client: what goes over the wire from the service's description, and what the client itself declares
 * from its comments. With `--check` it compares them and fails on a difference.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const client = join(root, 'clients/javascript');
const isCheck = process.argv.includes('--check');
const different: string[] = [];

function settle(path: string, text: string): void {
  if (!isCheck) writeFileSync(path, text);
  else if (read(path) !== text) different.push(path.slice(root.length));
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

const description = JSON.parse(readFileSync(join(root, 'services/api/openapi.json'), 'utf8'));
settle(join(client, 'types/wire.d.ts'), renderWireTypes(description));

const folder = mkdtempSync(join(tmpdir(), 'client-types-'));
try {
  const tsc = join(root, 'node_modules/.bin/tsc');
  execFileSync(tsc, ['-p', join(client, 'tsconfig.json'), '--outDir', folder], { stdio: 'inherit' });
  for (const name of readdirSync(folder)) settle(join(client, 'types', name), readFileSync(join(folder, name), 'utf8'));
} finally {
  rmSync(folder, { recursive: true });
}

if (different.length > 0) {
  console.error(`${different.join(', ')}: not what the service and the client say; run: npm run client:types`);
  process.exitCode = 1;
}
