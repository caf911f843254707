import { join } from 'node:path';
import { ensureInstalled, ROOT } from './install.mjs';
import { runNode } from './run-node.mjs';

await ensureInstalled();
runNode(['--env-file-if-exists=.env', join(ROOT, 'embedded', 'src', 'main.ts'), ...process.argv.slice(2)]);
