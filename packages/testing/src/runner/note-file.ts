import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject } from 'vitest';

// Notes which file this process runs; `hang-limit.ts` reads it. A loop without an end leaves no chance to say it later.
// Nothing is provided where the command line names other reporters.
const folder: string | undefined = inject('runningFiles');
if (folder !== undefined) writeFileSync(join(folder, String(process.pid)), expect.getState().testPath ?? '');
