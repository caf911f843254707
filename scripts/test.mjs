import { join } from 'node:path';
import { ensureInstalled, ROOT } from './install.mjs';
import { runNode } from './run-node.mjs';

await ensureInstalled();
// Limits that only a hang reaches: nothing here is a timed test, and a slow machine is no failure.
const limits = ['--testTimeout=60000', '--hookTimeout=120000'];
runNode([join(ROOT, 'node_modules', 'vitest', 'vitest.mjs'), 'run', ...limits, ...process.argv.slice(2)]);
