import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLendingError } from '@lending/errors';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Home, homeIn } from './home.ts';
import { lockInstance } from './instance-lock.ts';

let home: Home;
beforeEach(async () => {
  home = homeIn(await mkdtemp(join(tmpdir(), 'lending-lock-')));
});
afterEach(() => rm(home.folder, { recursive: true }));

const isTaken = (error: unknown): boolean => isLendingError(error, 'RUNTIME__INSTANCE_INVALID');
const claim = (text: string): Promise<void> => writeFile(join(home.folder, 'instance.json'), text);

describe('lockInstance', () => {
  it('is held until it is given up', async () => {
    const unlock = await lockInstance(home);
    await expect(lockInstance(home)).rejects.toSatisfy(isTaken);
    await unlock();
    await (await lockInstance(home))();
    expect(await readdir(home.folder)).toEqual([]);
  });

  it('lets one of many at once through', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => lockInstance(home)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await readdir(home.folder)).toEqual(['instance.json']);
  });

  it('lets one of two through, however their steps fall together', async () => {
    for (let round = 0; round < 200; round += 1) {
      if (round % 2 === 1) await claim('{"pid":');
      const outcomes = await Promise.allSettled([lockInstance(home), lockInstance(home)]);
      const winners = outcomes.filter((outcome) => outcome.status === 'fulfilled');
      expect(winners).toHaveLength(1);
      await winners[0]?.value();
    }
    expect(await readdir(home.folder)).toEqual([]);
  });

  it('takes over from a process that is gone, and from a claim cut short', async () => {
    const gone = spawn(process.execPath, ['-e', '']);
    await once(gone, 'exit');
    await claim(JSON.stringify({ pid: gone.pid, birth: 'boot/1' }));
    await (await lockInstance(home))();
    await claim('{"pid":');
    await (await lockInstance(home))();
  });

  it.skipIf(process.platform !== 'linux')('takes over when the number now belongs to another process', async () => {
    await claim(JSON.stringify({ pid: process.pid, birth: 'earlier boot/1' }));
    await (await lockInstance(home))();
  });
});
