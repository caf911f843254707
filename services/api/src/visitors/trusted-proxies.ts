import { BlockList, isIP } from 'node:net';
import { invalidConfig } from '@lending/runtime';
import { bareAddress } from './client-of.ts';

/**
 * Whether what an address says of who sent a request is believed: of those that an operator named, one by one or by their range. Nobody's
 * is where none was named.
 * @throws CONFIG__INVALID where one is neither.
 */
export function createProxyTrust(proxies: readonly string[]): (address: string) => boolean {
  const trusted = new BlockList();
  for (const proxy of proxies) {
    const [address = '', bits] = proxy.split('/');
    const family = familyOf(address);
    const most = family === 'ipv4' ? 32 : 128;
    const prefix = bits === undefined ? most : Number(bits);
    if (family === null || !/^\d{1,3}$/.test(bits ?? '0') || prefix > most) {
      throw invalidConfig([
        { name: 'TRUSTED_PROXIES', value: proxy, allowed: 'IP addresses, or ranges such as 10.0.0.0/8' },
      ]);
    }
    trusted.addSubnet(address, prefix, family);
  }
  return (given) => {
    const address = bareAddress(given);
    const family = familyOf(address);
    return family !== null && trusted.check(address, family);
  };
}

function familyOf(address: string): 'ipv4' | 'ipv6' | null {
  switch (isIP(address)) {
    case 4:
      return 'ipv4';
    case 6:
      return 'ipv6';
    default:
      return null;
  }
}
