import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { renderComposeSettings } from './render-compose-settings.ts';
import { renderSettings } from './render-settings.ts';

/** Writes what is made from the settings themselves, or with `--check` compares it and fails on a difference. */
const isChecking = process.argv.includes('--check');
for (const [name, render] of [
  ['.env.example', renderSettings],
  ['docker-compose.yml', renderComposeSettings],
] as const) {
  const path = fileURLToPath(new URL(`../${name}`, import.meta.url));
  const before = readFileSync(path, 'utf8');
  const text = render(before);
  if (!isChecking) writeFileSync(path, text);
  else if (before !== text) {
    console.error(`${name} differs from the settings; run: npm run settings:dump`);
    process.exitCode = 1;
  }
}
