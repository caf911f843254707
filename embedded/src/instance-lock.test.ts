import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockInstance } from './instance-lock.ts';

describe('lockInstance', () => {
  let dataDir: string;

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'lock-'));
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  it('refuses a second holder and names the folder', async () => {
    const release = await lockInstance(dataDir);
    await expect(lockInstance(dataDir)).rejects.toMatchObject({
      code: 'RUNTIME__INSTANCE_INVALID',
      message: expect.stringContaining(dataDir),
    });
    await release();
  });

  it('can be taken again after its release', async () => {
    await (await lockInstance(dataDir))();
    await (await lockInstance(dataDir))();
  });

  it('can be taken again after its holder was killed', async () => {
    const script = `import { lockInstance } from ${JSON.stringify(new URL('./instance-lock.ts', import.meta.url).href)};
      await lockInstance(${JSON.stringify(dataDir)}); console.log('held'); setInterval(() => {}, 1000);`;
    const holder = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(holder.stdout, 'data');
    await expect(lockInstance(dataDir)).rejects.toThrow(dataDir);
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    await (await lockInstance(dataDir))();
  });
});
