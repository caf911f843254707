import { describe, expect, it } from 'vitest';
import { createProxyTrust } from './trusted-proxies.ts';

describe('createProxyTrust', () => {
  it('believes nobody unless told to', () => {
    expect(createProxyTrust([])('127.0.0.1')).toBe(false);
  });

  it('believes addresses and ranges that were named, however they are written', () => {
    const isTrusted = createProxyTrust(['127.0.0.1', '10.0.0.0/8', '2001:db8::/32']);
    for (const address of ['127.0.0.1', '::ffff:127.0.0.1', '10.255.0.1', '10.1.2.3:443', '2001:db8:1::1']) {
      expect([address, isTrusted(address)]).toEqual([address, true]);
    }
    for (const address of ['127.0.0.2', '11.0.0.1', '2001:db9::1', '::1', 'unknown', '']) {
      expect([address, isTrusted(address)]).toEqual([address, false]);
    }
  });

  it.each(['10.0.0.0/33', '10.0.0.300', '::/129', '10.0.0.0/', '10.0.0.0/x', 'proxy.example'])(
    'refuses %s by its name',
    (proxy) => {
      expect(() => createProxyTrust([proxy])).toThrow(/TRUSTED_PROXIES/);
    },
  );
});
