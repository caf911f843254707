import { describe, expect, it } from 'vitest';
import { clientOf } from './client-of.ts';
import { createProxyTrust } from './trusted-proxies.ts';

describe('clientOf', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:c000:207', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::9', '2001:db8:1:2::/64'],
    ['2001:db8::9', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['64:ff9b::192.0.2.7', '64:ff9b:0:0::/64'],
    ['192.0.2.7:50123', '192.0.2.7'],
    ['[2001:db8::9]:50123', '2001:db8:0:0::/64'],
    ['[2001:db8::9]', '2001:db8:0:0::/64'],
  ])('names %s %s', (ip, client) => {
    expect(clientOf(ip)).toBe(client);
  });

  it.each(['', 'unknown', 'a'.repeat(10_000), '1.2.3.4.5', '1.2.3.400', ':50123'])(
    'takes no word for an address: %s',
    (ip) => {
      expect(clientOf(ip)).toBe('unknown');
    },
  );
});

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
