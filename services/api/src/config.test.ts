import { parseConfig } from '@lending/runtime';
import { describe, expect, it } from 'vitest';
import { apiSettings } from './config.ts';

describe('the settings of the api', () => {
  it('take no key that could not be sent, and do not repeat it', () => {
    for (const name of ['JUPITER_API_KEY', 'DFLOW_API_KEY']) {
      for (const value of ['sk-secret two', 'sk-sécret', `sk-${'k'.repeat(510)}`]) {
        const parse = () => parseConfig(apiSettings, { [name]: value });
        expect(parse).toThrow(new RegExp(`${name} is \\(hidden\\); allowed: printable ASCII`));
        expect(parse).not.toThrow(/sk-/);
      }
    }
  });

  it('bound what a swap may cost', () => {
    expect(parseConfig(apiSettings, {})).toMatchObject({
      SWAP_SLIPPAGE_BPS: 50,
      SWAP_MAX_PRICE_IMPACT_BPS: 100,
      SWAP_MAX_ORACLE_DEVIATION_BPS: 300,
    });
    expect(() => parseConfig(apiSettings, { SWAP_SLIPPAGE_BPS: '501' })).toThrow(/from 0 to 500/);
  });

  it('take an overrule of a bank only with a time, and say in one line what is wrong', () => {
    const bank = 'CCKtUs6Cgwo4aaQUmBPmyoApH2gUDErxNZCAntD6LYGh';
    const parse = (value: string) => () => parseConfig(apiSettings, { AUDIT_OVERRULE: value });
    expect(parse(`${bank}@2027-01-31T12:00:00Z, ${bank}@2027-02-01T12:00:00Z`)().AUDIT_OVERRULE).toHaveLength(2);
    expect(parse(`${bank}@2027-01-31T12:00:00Z,${bank}@soon`)).toThrow(
      /AUDIT_OVERRULE is .*<bank>@2027-01-31T12:00:00Z/,
    );
  });
});
