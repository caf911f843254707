import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject } from 'vitest';

// Notes which file this process runs; `hang-limit.ts` reads it. A loop without an end leaves no chance to say it later.
writeFileSync(join(inject('runningFiles'), String(process.pid)), expect.getState().testPath ?? '');
