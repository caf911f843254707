import { existsSync } from 'node:fs';

// npm writes this file last.
if (!existsSync(new URL('../node_modules/.package-lock.json', import.meta.url))) {
  throw new Error('The official SDKs are not installed: node scripts/install-only.mjs, or npm test, installs them');
}
