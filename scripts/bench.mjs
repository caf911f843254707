import { join } from 'node:path';
import { ensureInstalled, ROOT } from './install.mjs';
import { runNode } from './run-node.mjs';

await ensureInstalled('proves', 'compares');
runNode([join(ROOT, 'lab', 'bench', 'src', 'run.ts'), ...process.argv.slice(2)]);
