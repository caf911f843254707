import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { decodeBank, decodeGroup, decodeMarginfiAccount } from '@lending/venues';
import { type Address, address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { auditAccount } from './audit-account.ts';
import { auditBank } from './audit-bank.ts';
import { differs } from './comparison.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const FIXTURES = resolve(ROOT, process.env.FIXTURES_DIR ?? '../shared/fixtures', 'accounts');
const FOLDERS = ['marginfi', 'marginfi-staging', 'marginfi-localnet'];
const MISSING = !existsSync(FIXTURES);
/** Of a dump that does not say where it was. */
const UNKNOWN = address('11111111111111111111111111111115');

interface Dump {
  readonly address: Address | null;
  readonly owner: Address;
  readonly data: readonly [string, string];
}

function read(kind: string) {
  if (MISSING) return [];
  return FOLDERS.flatMap((folder) => readFolder(folder).filter(({ name }) => name.startsWith(`${kind}-`)));
}

function readFolder(folder: string) {
  const path = resolve(FIXTURES, folder);
  if (!existsSync(path)) return [];
  return readdirSync(path)
    .filter((name) => /^[^.]+\.json$/.test(name))
    .map((name) => {
      const dump = JSON.parse(readFileSync(resolve(path, name), 'utf8')) as Dump;
      const data = new Uint8Array(Buffer.from(dump.data[0], 'base64'));
      return { name, account: { address: dump.address ?? UNKNOWN, owner: dump.owner, data } };
    });
}

/** Nothing where bytes are something else. */
function orNone<T>(decode: () => T): readonly T[] {
  try {
    return [decode()];
  } catch {
    return [];
  }
}

describe.skipIf(MISSING)('the audit of recorded banks and accounts (FIXTURES_DIR)', () => {
  const [main] = read('group').map(({ account }) => decodeGroup(account, account.owner));
  const banks = read('bank').map(({ name, account }) => ({ name, bank: decodeBank(account, account.owner) }));

  it('agrees with the rates of every bank that carries some', () => {
    if (main === undefined) throw new Error('No group is recorded');
    const found = banks.map(({ name, bank }) => ({ name, compared: auditBank(null, bank, main) }));
    const carrying = banks.filter(({ bank }) => bank.interestCache.borrowingRate > 0).map(({ name }) => name);
    expect(found.filter(({ compared }) => compared.length > 0).map(({ name }) => name)).toEqual(carrying);
    expect(found.flatMap(({ compared }) => compared.filter(differs))).toEqual([]);
    // Most dumps are older than the cache.
    expect(carrying).toEqual(['bank-corvus-2026-04.json']);
  });

  it('agrees with every bank of a first contact that carries rates', () => {
    const [group] = readFolder('first-contact').flatMap(({ account }) =>
      orNone(() => decodeGroup(account, account.owner)),
    );
    const found = readFolder('first-contact').flatMap(({ account }) =>
      orNone(() => decodeBank(account, account.owner)).flatMap((bank) =>
        group === undefined ? [] : auditBank(null, bank, group),
      ),
    );
    expect(found.filter(differs)).toEqual([]);
    expect(found.length > 0).toBe(group !== undefined);
  });

  it('says nothing of accounts whose banks it does not have', () => {
    const accounts = read('account').map(({ account }) => decodeMarginfiAccount(account, account.owner));
    expect(accounts.map(({ healthCache }) => healthCache.computedAt)).toEqual([null, null, 1_745_613_451n]);
    const states = new Map(banks.map(({ bank }) => [bank.address, { before: null, after: bank }]));
    for (const after of accounts) {
      const group = { sameAssetLeverage: { init: 0n, maint: 0n }, premiumPairs: [] };
      const audited = { before: null, after, banks: states, prices: new Map(), arePricesOfCheck: false, group };
      expect(auditAccount({ ...audited, version: '0.1.8' })).toEqual([]);
    }
  });
});
