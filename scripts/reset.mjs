import { join } from 'node:path';
import { ensureInstalled, ROOT } from './install.mjs';
import { ENV_FILE, runNode } from './run-node.mjs';

await ensureInstalled('runs');
runNode([...ENV_FILE, join(ROOT, 'embedded', 'src', 'reset.ts')]);
