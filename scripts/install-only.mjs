import { ensureInstalled } from './install.mjs';

await ensureInstalled('proves', 'compares');
