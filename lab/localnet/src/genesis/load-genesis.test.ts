import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { isLendingError } from '@lending/errors';
import { bankLayout, MARGINFI_MAIN_GROUP } from '@lending/programs';
import { type Address, address } from '@solana/kit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadGenesis } from './load-genesis.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');
const FIXTURES = resolve(ROOT, process.env.FIXTURES_DIR ?? '../shared/fixtures');
const MANIFESTS = join(ROOT, 'lab/e2e/genesis');
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

/** Bank address and last update per manifest, as `fixtures/README.md` and the expected values beside the dumps give them. */
const BANKS = {
  'bonk-2024-08': ['DeyH7QxWvnbbaVB4zFrf4hoq7Q8z1ZT14co42BGwGtfM', 1_724_181_535n],
  'corvus-2026-04': ['4ecRL7M2fdmWjZd81PTZ9Sqg1e47ZpiwhkeDbsBJtqax', 1_777_478_455n],
  'jitosol-2024-03': ['Bohoc1ikHLD7xKJuzTyiTyCwzaL5N7ggJQu75A8mKYM8', 1_711_697_727n],
  'pyusd-2024-08': ['8UEiPmgZHXXEDrqLS3oiTxQxTbeYTtPbeMBxAd2XGbpu', 1_724_302_256n],
  'usdt-2024-03': ['HmpMfL8942u22htC4EMiWgLX931g3sacXFR6KjuLgKLV', 1_711_697_940n],
} as const;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'genesis-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Writes a file: text as it is, a change as a dump with it. */
const put = (name: string, content: string | Readonly<Record<string, unknown>> = {}) =>
  writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify({ ...DUMP, ...content }));

describe('loadGenesis of a folder', () => {
  it('places every dump at its address and lets the clock run', async () => {
    await put('a.json');
    await put('a.expected.json', '{"decoded": {}}');
    await put('notes.txt', 'not a dump');
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
    ['text that is not JSON', '{\n"address": \n', /a\.json: is not JSON [^\n]+$/],
  ])('names the file and the reason for a dump with %s, in one line', async (_, change, expected) => {
    await put('a.json', change);
    const error = await loadGenesis(folder, folder).catch((caught: unknown) => caught);
    expect(isLendingError(error, 'LOCALNET__GENESIS_INVALID')).toBe(true);
    expect((error as Error).message).toMatch(expected);
  });

  it('refuses an address that two files give, a folder without dumps and a path that does not exist', async () => {
    await expect(loadGenesis(folder, folder)).rejects.toThrow(/holds no account dump/);
    await expect(loadGenesis(join(folder, 'gone'), folder)).rejects.toThrow(/gone: does not exist/);
    await put('a.json');
    await put('b.json');
    await expect(loadGenesis(folder, folder)).rejects.toThrow(`b.json: the address ${CLOCK} was already given`);
  });
});

describe('loadGenesis of a manifest', () => {
  async function load(manifest: unknown, fixtures = folder) {
    await put('a.json');
    await put('manifest.json', typeof manifest === 'string' ? manifest : JSON.stringify(manifest));
    return loadGenesis(join(folder, 'manifest.json'), fixtures);
  }
  const withAccounts = (...accounts: unknown[]) => ({ note: 'n', clock: 5, accounts });

  it('stands an account at another address and gives it lamports where the manifest says so', async () => {
    await put('bare.json', { address: null, lamports: null });
    const genesis = await load(
      withAccounts({ file: 'bare.json', at: MARGINFI_MAIN_GROUP, lamports: 7, note: 'moved' }),
    );
    expect(genesis.accounts.get(MARGINFI_MAIN_GROUP)?.lamports).toBe(7n);
    expect(genesis.notes).toEqual(['n', 'moved']);
  });

  it.each([
    ['a field that is wrong', { ...withAccounts({ file: 'a.json' }), clock: 'noon' }, /manifest\.json: clock:/],
    ['text that is not JSON', '{', /manifest\.json: is not JSON/],
    ['a dump that is missing', withAccounts({ file: 'gone.json' }), /gone\.json: does not exist/],
    ['two dumps for one address', withAccounts({ file: 'a.json' }, { file: 'a.json' }), /a\.json: .*already given/],
    ['a dump outside the fixtures folder', withAccounts({ file: '../a.json' }), /leaves the fixtures folder/],
  ])('names the file and the reason for %s', async (_, manifest, expected) => {
    await expect(load(manifest)).rejects.toThrow(expected);
  });

  describe.skipIf(!existsSync(FIXTURES))('on the fixtures folder (FIXTURES_DIR)', () => {
    it('finds one manifest per dumped main-group bank', () => {
      const names = readdirSync(MANIFESTS).map((name) => name.replace(/\.json$/, ''));
      expect(names.sort()).toEqual(Object.keys(BANKS).sort());
    });

    it.each(Object.entries(BANKS))('loads %s with its bank, group and price at their keys', async (name, row) => {
      const [bank, clock] = row;
      const genesis = await loadGenesis(join(MANIFESTS, `${name}.json`), FIXTURES);
      const decoded = bankLayout.decode(genesis.accounts.get(address(bank))?.data ?? new Uint8Array());
      expect([genesis.clock, decoded.lastUpdate, decoded.group]).toEqual([clock, clock, MARGINFI_MAIN_GROUP]);
      expect(genesis.accounts.has(MARGINFI_MAIN_GROUP)).toBe(true);
      expect(genesis.accounts.has(decoded.config.oracleKeys[0] as Address)).toBe(true);
    });

    it('refuses a clock that is not the last update of its bank', async () => {
      const accounts = [{ file: 'accounts/marginfi/bank-usdt-2024-03.json' }];
      await expect(load({ note: 'n', clock: 1_711_697_941, accounts }, FIXTURES)).rejects.toThrow(
        /manifest\.json: clock is 1711697941, but bank Hmp/,
      );
    });
  });
});
