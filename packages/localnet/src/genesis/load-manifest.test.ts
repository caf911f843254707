import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { bankLayout, MARGINFI_MAIN_GROUP } from '@lending/programs';
import { type Address, address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadGenesis } from './load-genesis.ts';
import { loadGenesisManifest } from './load-manifest.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');
const FIXTURES = resolve(ROOT, process.env.FIXTURES_DIR ?? '../shared/fixtures');
const MANIFESTS = join(ROOT, 'e2e/genesis');

/** Bank address and last update per manifest, as `fixtures/README.md` and the expected values beside the dumps give them. */
const BANKS = {
  'bonk-2024-08': ['DeyH7QxWvnbbaVB4zFrf4hoq7Q8z1ZT14co42BGwGtfM', 1_724_181_535n],
  'corvus-2026-04': ['4ecRL7M2fdmWjZd81PTZ9Sqg1e47ZpiwhkeDbsBJtqax', 1_777_478_455n],
  'jitosol-2024-03': ['Bohoc1ikHLD7xKJuzTyiTyCwzaL5N7ggJQu75A8mKYM8', 1_711_697_727n],
  'pyusd-2024-08': ['8UEiPmgZHXXEDrqLS3oiTxQxTbeYTtPbeMBxAd2XGbpu', 1_724_302_256n],
  'usdt-2024-03': ['HmpMfL8942u22htC4EMiWgLX931g3sacXFR6KjuLgKLV', 1_711_697_940n],
} as const;

interface ManifestFile {
  readonly accounts: readonly { readonly file: string; readonly at?: Address }[];
}

describe.skipIf(!existsSync(FIXTURES))('loadGenesisManifest on the fixtures folder (FIXTURES_DIR)', () => {
  it('has one manifest per dumped main-group bank', () => {
    const names = readdirSync(MANIFESTS).map((name) => name.replace(/\.json$/, ''));
    expect(names.sort()).toEqual(Object.keys(BANKS).sort());
  });

  it.each(Object.entries(BANKS))(
    'loads %s with its bank, group and price at their keys',
    async (name, [bank, clock]) => {
      const genesis = await loadGenesis(join(MANIFESTS, `${name}.json`), FIXTURES);
      const state = genesis.accounts.get(address(bank));
      if (state === undefined) throw new Error(`${bank} is not in the genesis`);
      const decoded = bankLayout.decode(state.data);
      expect(genesis.clock).toBe(clock);
      expect(decoded.lastUpdate).toBe(clock);
      expect(decoded.group).toBe(MARGINFI_MAIN_GROUP);
      expect(genesis.accounts.has(MARGINFI_MAIN_GROUP)).toBe(true);
      expect(genesis.accounts.has(decoded.config.oracleKeys[0] as Address)).toBe(true);
    },
  );

  it.each(Object.keys(BANKS))('keeps the dumped bytes of %s as they are', async (name) => {
    const path = join(MANIFESTS, `${name}.json`);
    const genesis = await loadGenesisManifest(path, FIXTURES);
    const manifest = JSON.parse(readFileSync(path, 'utf8')) as ManifestFile;
    expect(genesis.accounts.size).toBe(manifest.accounts.length);
    for (const { file, at } of manifest.accounts) {
      const dump = JSON.parse(readFileSync(join(FIXTURES, file), 'utf8'));
      const state = genesis.accounts.get(at ?? dump.address);
      expect(Buffer.from(state?.data ?? []).toString('base64'), file).toBe(dump.data[0]);
      expect(state?.owner, file).toBe(dump.owner);
    }
  });
});

describe('loadGenesisManifest', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'genesis-manifest-'));
    await writeFile(join(folder, 'a.json'), dumpText());
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function load(manifest: unknown) {
    const path = join(folder, 'manifest.json');
    await writeFile(path, typeof manifest === 'string' ? manifest : JSON.stringify(manifest));
    return loadGenesisManifest(path, folder);
  }
  const withAccounts = (...accounts: unknown[]) => ({ note: 'n', clock: 5, accounts });

  it('stands an account at another address and gives it lamports when told', async () => {
    await writeFile(join(folder, 'bare.json'), dumpText({ address: null, lamports: null }));
    const genesis = await load(
      withAccounts({ file: 'bare.json', at: MARGINFI_MAIN_GROUP, lamports: 7, note: 'moved' }),
    );
    expect(genesis.accounts.get(MARGINFI_MAIN_GROUP)?.lamports).toBe(7n);
    expect(genesis.notes).toEqual(['n', 'moved']);
  });

  it('names the manifest and the field when one is wrong', async () => {
    await expect(load({ ...withAccounts({ file: 'a.json' }), clock: 'noon' })).rejects.toThrow(
      /manifest\.json: clock:/,
    );
    await expect(load('{')).rejects.toThrow(/manifest\.json: is not JSON/);
  });

  it('names the dump that is missing', async () => {
    await expect(load(withAccounts({ file: 'gone.json' }))).rejects.toThrow(/gone\.json: does not exist/);
  });

  it('refuses two dumps for one address', async () => {
    await expect(load(withAccounts({ file: 'a.json' }, { file: 'a.json' }))).rejects.toThrow(
      /a\.json: .*already given/,
    );
  });

  it('refuses a dump outside the fixtures folder', async () => {
    await expect(load(withAccounts({ file: '../a.json' }))).rejects.toThrow(/leaves the fixtures folder/);
  });

  it.skipIf(!existsSync(FIXTURES))(
    'refuses a clock that is not the last update of its bank (FIXTURES_DIR)',
    async () => {
      const path = join(folder, 'late.json');
      const accounts = [{ file: 'accounts/marginfi/bank-usdt-2024-03.json' }];
      await writeFile(path, JSON.stringify({ note: 'n', clock: 1_711_697_941, accounts }));
      await expect(loadGenesisManifest(path, FIXTURES)).rejects.toThrow(
        /late\.json: clock is 1711697941, but bank Hmp/,
      );
    },
  );
});

function dumpText(change: Record<string, unknown> = {}): string {
  return JSON.stringify({
    address: 'SysvarC1ock11111111111111111111111111111111',
    owner: '11111111111111111111111111111111',
    lamports: 1,
    executable: false,
    rentEpoch: '0',
    space: 3,
    data: ['AQID', 'base64'],
    ...change,
  });
}
