import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { renderSettings } from './render-settings.ts';

/** Writes `.env.example` from the settings themselves, or with `--check` compares it and fails on a difference. */
const path = fileURLToPath(new URL('../.env.example', import.meta.url));
const text = renderSettings();
if (process.argv.includes('--check')) {
  if (readFileSync(path, 'utf8') !== text) {
    console.error('.env.example differs from the settings; run: npm run settings:dump');
    process.exitCode = 1;
  }
} else {
  writeFileSync(path, text);
}
