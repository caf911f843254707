import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium } from './find-chromium.ts';

describe('findChromium', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'find-chromium-'));
    for (const name of ['google-chrome', 'mine']) {
      await writeFile(join(folder, name), '#!/bin/sh\n');
      await chmod(join(folder, name), 0o755);
    }
    await writeFile(join(folder, 'chromium'), 'not to be run');
    await chmod(join(folder, 'chromium'), 0o644);
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('takes the first on PATH that can be run', () => {
    expect(findChromium({ PATH: `/nowhere:${folder}` })).toBe(join(folder, 'google-chrome'));
  });

  it('takes the one that CHROMIUM_PATH names before it', () => {
    expect(findChromium({ PATH: folder, CHROMIUM_PATH: join(folder, 'mine') })).toBe(join(folder, 'mine'));
  });

  it('does not fall back from a CHROMIUM_PATH that cannot be run', () => {
    expect(() => findChromium({ PATH: folder, CHROMIUM_PATH: join(folder, 'chromium') })).toThrow(/CHROMIUM_PATH/);
  });
});
