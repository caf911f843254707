import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createAccessToken } from '../callers/access-token.ts';
import { WALLET } from '../testing/account-rows.ts';
import { makeTitle } from './make-title.ts';
import { toPlainText } from './plain-text.ts';
import { recordedArguments } from './recorded-arguments.ts';
import { secretsOf, withoutSecrets } from './without-secrets.ts';

describe('withoutSecrets', () => {
  it.each([
    ['a token of ours', createAccessToken()],
    ['an id that is a key', '3f9c2a7b-0d1e-4c5f-8a6b-7e8d9c0b1a2f'],
    ['a key with a prefix', 'sk_live_51H8xkq2eZvKYlo2C'],
    ['a private key of 64 bytes', '5'.repeat(40) + 'K'.repeat(48)],
    ['a key in groups', 'AB12C-DE34F-GH56I-JK78L'],
    ['hexadecimal', '0123456789abcdef0123456789abcdef'],
  ])('removes %s, alone or within a text', (_what, secret) => {
    expect(withoutSecrets(secret, [])).toBe('(removed)');
    expect(withoutSecrets(`use ${secret} now`, [])).toBe('use (removed) now');
    expect(withoutSecrets(`https://host/?key=(${secret})`, [])).toBe('(removed)');
  });

  it.each([
    'SOL',
    WALLET,
    '2026-11-22T10:00:00.000Z',
    'rates.realized_deposit_apy_30d_pct',
    'signing-and-submitting-both-ways',
    'Lending-acceptance-client-v2-2026/1.4.0',
    'my_trading_desk_agent_7',
    '1234567890123456789012345.678',
  ])('leaves %s', (text) => expect(withoutSecrets(text, [])).toBe(text));

  it('removes whatever holds a secret of the request, however short', () => {
    const headers: Readonly<Record<string, string>> = { authorization: 'Bearer abc', 'x-aggregator2-api-key': ' k-2 ' };
    const secrets = secretsOf((name) => headers[name]);
    expect(secrets).toEqual(['abc', 'k-2']);
    expect(['xabcx', 'my k-2', 'ab c'].map((text) => withoutSecrets(text, secrets))).toEqual([
      '(removed)',
      '(removed)',
      'ab c',
    ]);
  });
});

describe('recordedArguments', () => {
  const input = z.strictObject({
    symbol: z.string().max(500).optional(),
    limit: z.int().optional(),
    names: z.array(z.string()).optional(),
    policy: z.strictObject({ note: z.string() }).optional(),
  });
  const kept = (given: unknown) => recordedArguments(input, given, []);

  it('keeps fields that the tool has, with values that it takes', () => {
    expect(
      kept({
        symbol: 'SOL',
        limit: 'many',
        names: null,
        policy: { note: 'a', key: 'b' },
        api_key: 'c',
        constructor: 'd',
      }),
    ).toEqual({
      symbol: 'SOL',
    });
    expect(kept({ policy: { note: 'a\u0000b' }, names: ['x\ud800'] })).toEqual({
      names: ['x\ufffd'],
      policy: { note: 'ab' },
    });
    for (const given of [null, undefined, 'text', ['SOL'], 7]) expect(kept(given)).toEqual({});
  });

  it('cuts texts, lists, and the whole', () => {
    const names = Array.from({ length: 30 }, () => 'n');
    expect(kept({ symbol: 's '.repeat(200), names })).toEqual({
      symbol: `${'s '.repeat(99)}s…`,
      names: names.slice(0, 20),
    });
    const long = kept({
      symbol: 'a',
      names: Array.from({ length: 20 }, () => 'word '.repeat(50)),
      limit: 1,
      policy: { note: 'a' },
    });
    expect(long).toEqual({ symbol: 'a', limit: 1 });
  });
});

describe('makeTitle', () => {
  it('says what was called, and about what', () => {
    const title = (kept: Record<string, unknown>) => makeTitle({ title: 'Borrow' }, kept);
    expect(title({})).toBe('Borrow');
    expect(title({ amount: '1.5', authority: WALLET })).toBe(`Borrow: 1.5, ${WALLET.slice(0, 4)}…${WALLET.slice(-4)}`);
    expect(title({ query: '(removed)', symbol: 'SOL' })).toBe('Borrow: SOL');
    expect([...title({ query: '👩'.repeat(100) })]).toHaveLength('Borrow: '.length + 60);
  });
});

describe('toPlainText', () => {
  it('is one line without what turns or hides text, cut by whole characters', () => {
    expect(toPlainText(' a\r\n\tb\u202e\u0007c\ufeff ', 10)).toBe('a bc');
    expect(toPlainText('👩‍🚀', 10)).toBe('👩‍🚀');
    expect(toPlainText('😀😀😀😀', 3)).toBe('😀😀…');
    expect(toPlainText('😀😀😀', 3)).toBe('😀😀😀');
  });
});
