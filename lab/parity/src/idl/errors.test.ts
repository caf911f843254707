import { FOREIGN_ERROR_NAMES, PROGRAM_ERROR_NAMES } from '@lending/domain';
import {
  JUPLEND_EARN_ERRORS,
  JUPLEND_LIQUIDITY_ERRORS,
  KLEND_ERRORS,
  MARGINFI_ERRORS,
  marginfiErrorName,
  type ProgramVersion,
  SWITCHBOARD_ERRORS,
} from '@lending/programs';
import { describe, expect, it } from 'vitest';
import { hasFixtures } from '../config.ts';
import { idlAt } from './idl.ts';

/** Every number the program can answer with, and some that it cannot. */
const NUMBERS = Array.from({ length: 900 }, (_none, index) => 5_990 + index);

const errorsOf = (version: ProgramVersion) =>
  NUMBERS.flatMap((code) => {
    const name = marginfiErrorName(code, version);
    return name === null ? [] : [{ code, name }];
  });

describe.skipIf(!hasFixtures)('errors against the published IDLs (FIXTURES_DIR)', () => {
  it.each([
    ['0.1.7', '0.1.7'],
    ['0.1.8', '0.1.8'],
    ['0.1.9', '0.1.9'],
    ['0.1.10', '0.1.10-rc1'],
  ] as const)('are those of %s, by number and name', (version, idl) => {
    const published = idlAt(`marginfi@${idl}.json`).errors ?? [];
    expect(errorsOf(version)).toEqual(published.map(({ code, name }) => ({ code, name })));
  });

  it('are in 0.1.11 and 0.1.12 what the versions before had, with what the reference adds and renames', () => {
    const linesOf = (version: ProgramVersion) => new Set(errorsOf(version).map(({ code, name }) => `${code} ${name}`));
    const news = (version: ProgramVersion, before: ProgramVersion) =>
      [...linesOf(version)].filter((line) => !linesOf(before).has(line));
    expect(news('0.1.11', '0.1.10')).toEqual([
      '6132 UseSetOraclePrice',
      '6136 MarinadeStateValidationFailed',
      '6137 ExponentVaultValidationFailed',
      '6138 InvalidPtStartPrice',
      '6139 StakePoolStale',
      '6800 ScopeInvalidAccount',
      '6801 ScopeInvalidEntry',
      '6802 ScopeStalePrice',
      '6803 UseConfigureBankOracleScope',
    ]);
    const newest = news('0.1.12', '0.1.11');
    expect(newest.slice(0, 8)).toEqual([
      '6054 AccountAlreadyTagged',
      '6073 CostlyPositionLimitExceeded',
      '6140 MixedBankConfigAuthority',
      '6141 InvalidGovernanceAdmin',
      '6142 MixedGroupConfigAuthority',
      '6143 InvalidFastBankOperationalState',
      '6144 InvalidGovernanceBankOperationalState',
      '6605 DurableNonceNotAllowed',
    ]);
    expect(newest).toHaveLength(8 + 6 + 21);
    expect(Object.keys(MARGINFI_ERRORS)).toHaveLength(errorsOf('0.1.12').length);
  });
});

describe.skipIf(!hasFixtures)('klend’s errors against the published IDL (FIXTURES_DIR)', () => {
  it.each(Object.entries(KLEND_ERRORS))('%s has the number %s', (name, code) => {
    const published = idlAt('klend@1.22.0.json').errors ?? [];
    expect(published.find((each) => each.code === code)?.name).toBe(name);
  });
});

describe.skipIf(!hasFixtures)('Switchboard’s errors against the published IDL (FIXTURES_DIR)', () => {
  it.each(Object.entries(SWITCHBOARD_ERRORS))('%s has the number %s', (name, code) => {
    const published = idlAt('switchboard-on-demand@0.1.0.json').errors ?? [];
    expect(published.find((each) => each.code === code)?.name).toBe(name);
  });
});

describe.skipIf(!hasFixtures)('errors of JupLend against the published IDLs (FIXTURES_DIR)', () => {
  it.each([
    ['juplend-lending@0.1.4.json', JUPLEND_EARN_ERRORS],
    ['juplend-liquidity@0.1.5.json', JUPLEND_LIQUIDITY_ERRORS],
  ])('are those of %s, by name and number', (idl, errors) => {
    const published = idlAt(idl).errors ?? [];
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
