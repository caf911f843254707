import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readdir, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findBinaries } from './binaries.ts';
import { copyBinaries } from './copy-binaries.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lending-copy-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('copyBinaries', () => {
  it('makes a copy that runs, with its symbolic links, once', async () => {
    const installed = await findBinaries();
    const copy = await copyBinaries(installed, folder);
    const { stdout } = await promisify(execFile)(copy.postgres, ['--version'], { env: {} });
    expect(stdout).toMatch(/^postgres \(PostgreSQL\) 18\./);
    const links = (await readdir(join(copy.folder, 'lib'), { withFileTypes: true })).filter((entry) =>
      entry.isSymbolicLink(),
    );
    for (const { name } of links) expect(await readlink(join(copy.folder, 'lib', name))).not.toContain('/');
    expect(await copyBinaries({ ...installed, folder: join(folder, 'not read again') }, folder)).toEqual(copy);
  });

  it('leaves one whole copy when several start at once', async () => {
    const installed = await findBinaries();
    const copies = await Promise.all([1, 2, 3].map(() => copyBinaries(installed, folder)));
    expect(new Set(copies.map((copy) => copy.folder)).size).toBe(1);
    expect(await readdir(folder)).toEqual([`postgres-${installed.key}`]);
  });

  it('opens to others what was installed under a tight umask', async () => {
    const installed = await findBinaries();
    const source = await copyBinaries(installed, folder);
    await chmod(join(source.folder, 'share'), 0o700);
    await chmod(source.postgres, 0o700);
    const other = await mkdtemp(join(folder, 'other-'));
    const copy = await copyBinaries({ ...source, key: 'tight' }, other);
    const run = promisify(execFile)('find', [
      copy.folder,
      '(',
      '-type',
      'd',
      '-o',
      '-name',
      'postgres',
      ')',
      '!',
      '-perm',
      '-005',
    ]);
    expect((await run).stdout).toBe('');
  });
});
