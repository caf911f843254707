import { mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { prepareFolder } from './record-contact.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'record-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('prepareFolder', () => {
  it('makes the folder', async () => {
    await prepareFolder(join(folder, 'new'));
    expect(await readdir(folder)).toEqual(['new']);
  });

  it('says in one line that the disk is full', async () => {
    await symlink('/dev/full', join(folder, '.try'));
    await expect(prepareFolder(folder)).rejects.toThrow(`--record ${folder} cannot be written: the disk is full`);
  });
});
