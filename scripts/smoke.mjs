import { join } from 'node:path';
import { ensureInstalled, ROOT } from './install.mjs';
import { ENV_FILE, runNode } from './run-node.mjs';

await ensureInstalled('proves');
runNode([...ENV_FILE, join(ROOT, 'lab', 'smoke', 'src', 'main.ts'), ...process.argv.slice(2)]);
