import { existsSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { slotsOf } from '@lending/programs';
import { describe, expect, it } from 'vitest';
import { readIdl, versionOfIdl } from './idl.ts';
import { INSTRUCTION_CLAIMS } from './instruction-claims.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FOLDER = resolve(ROOT, process.env.FIXTURES_DIR ?? '../shared/fixtures', 'idl');
const isPresent = existsSync(FOLDER);
const idls = isPresent ? readdirSync(FOLDER).filter((file) => /^marginfi@0\.1\.[0-7]\.json$/.test(file)) : [];

/** What older versions called the accounts that activity is read from. */
const NEW_NAMES: Readonly<Record<string, string>> = {
  marginfi_group: 'group',
  signer: 'authority',
  bank_liquidity_vault: 'liquidity_vault',
  reserve_liquidity_mint: 'mint',
};

/** Accounts that activity is read from: of these the places must be those of today's layouts. */
const READ = [
  'group',
  'marginfi_account',
  'old_marginfi_account',
  'new_marginfi_account',
  'liquidatee_marginfi_account',
  'liquidator_marginfi_account',
  'authority',
  'bank',
  'asset_bank',
  'liab_bank',
  'signer_token_account',
  'destination_token_account',
  'liquidity_vault',
  'mint',
  'liquidation_receiver',
];

const renamed = (name: string) => NEW_NAMES[name] ?? name;
const snakeCase = (name: string) => name.replaceAll(/[A-Z]/g, (char) => `_${char.toLowerCase()}`);

describe.skipIf(!isPresent)('instructions of older versions (FIXTURES_DIR)', () => {
  it.each(idls)('%s names the accounts that activity is read from where today’s layouts do', (file) => {
    const older = readIdl(resolve(FOLDER, file)).instructions ?? [];
    const misplaced = INSTRUCTION_CLAIMS.flatMap(({ layout }) => {
      const accounts = older.find(({ name }) => name === layout.name)?.accounts ?? [];
      const places = (names: readonly string[]) =>
        READ.flatMap((name) => (names.includes(name) ? [`${name} ${names.indexOf(name)}`] : []));
      const theirs = places(accounts.map(({ name }) => renamed(name)));
      const ours = places(slotsOf(layout, versionOfIdl(file)).map(({ name }) => renamed(snakeCase(name))));
      return theirs.filter((place) => !ours.includes(place)).map((place) => `${layout.name}: ${place}`);
    });
    expect(misplaced).toEqual([]);
    expect(older.length).toBeGreaterThan(30);
  });
});
