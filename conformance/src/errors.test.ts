import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FOREIGN_ERROR_NAMES, PROGRAM_ERROR_NAMES } from '@lending/domain';
import {
  JUPLEND_EARN_ERRORS,
  JUPLEND_LIQUIDITY_ERRORS,
  KLEND_ERRORS,
  MARGINFI_ERRORS,
  type MarginfiErrorVersion,
  marginfiErrorName,
  SWITCHBOARD_ERRORS,
} from '@lending/programs';
import { describe, expect, it } from 'vitest';
import { readIdl } from './idl.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FIXTURES = resolve(ROOT, process.env.FIXTURES_DIR ?? '../shared/fixtures');

/** Every number the program can answer with, and some that it cannot. */
const NUMBERS = Array.from({ length: 700 }, (_none, index) => 5_990 + index);

const errorsOf = (version: MarginfiErrorVersion) =>
  NUMBERS.flatMap((code) => {
    const name = marginfiErrorName(code, version);
    return name === null ? [] : [{ code, name }];
  });

describe.skipIf(!existsSync(FIXTURES))('errors against the published IDLs (FIXTURES_DIR)', () => {
  it.each(['0.1.7', '0.1.8'] as const)('are those of %s, by number and name', (version) => {
    const published = readIdl(resolve(FIXTURES, 'idl', `marginfi@${version}.json`)).errors ?? [];
    expect(errorsOf(version)).toEqual(published.map(({ code, name }) => ({ code, name })));
  });

  it('keep in 0.1.9 what 0.1.8 had, but for one vacated number, and add four', () => {
    const published = readIdl(resolve(FIXTURES, 'idl', 'marginfi@0.1.8.json')).errors ?? [];
    const before = new Set(published.map(({ code, name }) => `${code} ${name}`));
    const added = errorsOf('0.1.9').filter(({ code, name }) => !before.has(`${code} ${name}`));
    expect(added.map(({ code, name }) => `${code} ${name}`)).toEqual([
      '6053 StakeOraclesDisabled',
      '6132 UseSetFixedOraclePrice',
      '6133 InvalidGlobalFeeWallet',
      '6134 BankUninitialized',
      '6135 SlippageTooHigh',
    ]);
    expect(Object.keys(MARGINFI_ERRORS)).toHaveLength(published.length + 4);
  });
});

describe.skipIf(!existsSync(FIXTURES))('klend’s errors against the published IDL (FIXTURES_DIR)', () => {
  it.each(Object.entries(KLEND_ERRORS))('%s has the number %s', (name, code) => {
    const published = readIdl(resolve(FIXTURES, 'idl', 'klend@1.22.0.json')).errors ?? [];
    expect(published.find((each) => each.code === code)?.name).toBe(name);
  });
});

describe.skipIf(!existsSync(FIXTURES))('Switchboard’s errors against the published IDL (FIXTURES_DIR)', () => {
  it.each(Object.entries(SWITCHBOARD_ERRORS))('%s has the number %s', (name, code) => {
    const published = readIdl(resolve(FIXTURES, 'idl', 'switchboard-on-demand@0.1.0.json')).errors ?? [];
    expect(published.find((each) => each.code === code)?.name).toBe(name);
  });
});

describe.skipIf(!existsSync(FIXTURES))('errors of JupLend against the published IDLs (FIXTURES_DIR)', () => {
  it.each([
    ['juplend-lending@0.1.4.json', JUPLEND_EARN_ERRORS],
    ['juplend-liquidity@0.1.5.json', JUPLEND_LIQUIDITY_ERRORS],
  ])('are those of %s, by name and number', (idl, errors) => {
    const published = readIdl(resolve(FIXTURES, 'idl', idl)).errors ?? [];
    expect(published.length).toBeGreaterThan(0);
    expect(Object.entries(errors)).toEqual(published.map(({ code, name }) => [name, code]));
  });
});

describe('the errors that domain and venues speak of', () => {
  it('are the program’s, but for those named as foreign', () => {
    const foreign = PROGRAM_ERROR_NAMES.filter((name) => !Object.hasOwn(MARGINFI_ERRORS, name));
    expect(foreign).toEqual(FOREIGN_ERROR_NAMES);
    expect(new Set(PROGRAM_ERROR_NAMES).size).toBe(PROGRAM_ERROR_NAMES.length);
  });
});
