import { MARGINFI_PROGRAM } from '@lending/programs';
import { describe, expect, it } from 'vitest';
import { bankAccount } from '#testing/made-bank.ts';
import { decodeBank } from './decode-bank.ts';
import { detectProgramVersion } from './program-version.ts';

const bank = (...[fields]: Parameters<typeof bankAccount>) => decodeBank(bankAccount(fields), MARGINFI_PROGRAM);
const legacy = bank({});
const points = { ...legacy, curve: { kind: 'points', corners: [] } as const };
const proven019 = { atLeast: '0.1.9', likely: '0.1.9' };

describe('detectProgramVersion', () => {
  it('knows nothing above the oldest from banks that any release may have left', () => {
    expect(detectProgramVersion({ banks: [legacy] })).toEqual({ atLeast: '0.1.7', likely: '0.1.7' });
    expect(detectProgramVersion({ banks: [] })).toEqual({ atLeast: '0.1.7', likely: '0.1.7' });
  });

  it.each([13, 14, 15, 16, 17])('proves 0.1.8 by oracle setup %i', (oracleSetup) => {
    expect(detectProgramVersion({ banks: [legacy, bank({ config: { oracleSetup } })] }).atLeast).toBe('0.1.8');
  });

  it('proves 0.1.8 by a JupLend bank', () => {
    expect(detectProgramVersion({ banks: [bank({ config: { assetTag: 6 } })] })).toEqual({
      atLeast: '0.1.8',
      likely: '0.1.8',
    });
  });

  it('takes 0.1.9 for likely once no bank is on the legacy curve', () => {
    expect(detectProgramVersion({ banks: [points, points] })).toEqual({ atLeast: '0.1.7', likely: '0.1.9' });
    expect(detectProgramVersion({ banks: [points, legacy] }).likely).toBe('0.1.7');
  });

  it.each([
    ['a flag for Token-2022', { flags: 1n << 7n }],
    ['a known seed', { flags: 1n << 8n }],
    ['a seed', { bankSeed: 1n }],
  ])('proves 0.1.9 by %s', (_, fields) => {
    expect(detectProgramVersion({ banks: [legacy, bank(fields)] })).toEqual(proven019);
  });

  it('proves 0.1.9 by a multiplier in the cache', () => {
    const { oracleCache } = legacy;
    expect(detectProgramVersion({ banks: [{ ...legacy, oracleCache: { ...oracleCache, multiplier: 1n } }] })).toEqual(
      proven019,
    );
  });

  it('proves 0.1.9 by its events and by what it asks for', () => {
    expect(detectProgramVersion({ banks: [legacy], hasShareAmountInEvents: true })).toEqual(proven019);
    expect(detectProgramVersion({ banks: [legacy], wantsFourStakedAccounts: true })).toEqual(proven019);
    expect(detectProgramVersion({ banks: [legacy], hasShareAmountInEvents: false }).atLeast).toBe('0.1.7');
  });
});
