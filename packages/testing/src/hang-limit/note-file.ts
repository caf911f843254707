import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject } from 'vitest';

// Says which file this process runs, for `hang-limit.ts`. A loop without an end leaves no chance to say it later.
writeFileSync(join(inject('runningFiles'), String(process.pid)), expect.getState().testPath ?? '');
