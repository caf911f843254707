import { join } from 'node:path';
import { ensureInstalled, ROOT } from './install.mjs';
import { ENV_FILE, MEMORY_FLAGS, runNode } from './run-node.mjs';

await ensureInstalled('runs');
runNode([...MEMORY_FLAGS, ...ENV_FILE, join(ROOT, 'embedded', 'src', 'main.ts'), ...process.argv.slice(2)]);
