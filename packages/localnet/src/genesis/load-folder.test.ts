import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLendingError } from '@lending/errors';
import { address } from '@solana/kit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadGenesisFolder } from './load-folder.ts';
import { loadGenesis } from './load-genesis.ts';

const CLOCK = 'SysvarC1ock11111111111111111111111111111111';
const DUMP = {
  address: CLOCK,
  owner: '11111111111111111111111111111111',
  lamports: 12,
  executable: true,
  rentEpoch: '18446744073709551615',
  space: 3,
  data: ['AQID', 'base64'],
};

describe('loadGenesisFolder', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'genesis-folder-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const put = (name: string, change: Record<string, unknown> = {}) =>
    writeFile(join(folder, name), JSON.stringify({ ...DUMP, ...change }));

  it('places every dump at its address and lets the clock run', async () => {
    await put('a.json');
    await writeFile(join(folder, 'a.expected.json'), '{"decoded": {}}');
    await writeFile(join(folder, 'notes.txt'), 'not a dump');
    const genesis = await loadGenesis(folder, '/nowhere');
    expect([...genesis.accounts]).toEqual([
      [CLOCK, { lamports: 12n, owner: address(DUMP.owner), data: new Uint8Array([1, 2, 3]), executable: true }],
    ]);
    expect(genesis.clock).toBeNull();
  });

  it.each([
    ['a wrong size', { space: 4 }, /a\.json: says space 4 but holds 3 bytes/],
    ['no address', { address: null }, /a\.json: has no address/],
    ['no lamports', { lamports: null }, /a\.json: has no lamports/],
    ['a bad owner', { owner: 'me' }, /a\.json: owner: is not a base58 address/],
    ['bytes that are not base64', { data: ['%', 'base64'] }, /a\.json: data\.0: /],
  ])('names the file and the reason for a dump with %s', async (_, change, expected) => {
    await put('a.json', change);
    await expect(loadGenesisFolder(folder)).rejects.toThrow(expected);
  });

  it('refuses an address that two files give, naming the second', async () => {
    await put('a.json');
    await put('b.json');
    await expect(loadGenesisFolder(folder)).rejects.toThrow(`b.json: the address ${CLOCK} was already given`);
  });

  it('answers in one line for text that is not JSON', async () => {
    await writeFile(join(folder, 'a.json'), '{\n"address": \n');
    const error = await loadGenesisFolder(folder).catch((caught: unknown) => caught);
    expect(isLendingError(error, 'LOCALNET__GENESIS_INVALID')).toBe(true);
    expect((error as Error).message).toMatch(/a\.json: is not JSON/);
    expect((error as Error).message).not.toContain('\n');
  });

  it('refuses a folder without dumps and a path that does not exist', async () => {
    await expect(loadGenesisFolder(folder)).rejects.toThrow(/holds no account dump/);
    await expect(loadGenesis(join(folder, 'gone'), folder)).rejects.toThrow(/gone: does not exist/);
  });
});
