import { isIP, isIPv4, isIPv6 } from 'node:net';

/** All whose proxy says of them what is no address. */
const NOBODY = 'unknown';

/** Whose request or stream it is, by the address it comes from: IPv6 by its /64, which one household or server has. */
export function clientOf(ip: string): string {
  const address = bareAddress(ip);
  if (!isIPv6(address)) return isIPv4(address) ? address : NOBODY;
  const groups = groupsOf(address);
  return mappedAddress(groups) ?? `${groups.slice(0, 4).join(':')}::/64`;
}

/** An address without its zone, and without the port that some proxies name besides. */
export function bareAddress(text: string): string {
  const [address = ''] = text.split('%');
  if (isIP(address) !== 0) return address;
  return /^\[([^\]]*)\](?::\d+)?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address;
}

/** The eight of an address, without leading zeros. */
function groupsOf(address: string): readonly string[] {
  const [head = '', tail] = inGroups(address).split('::');
  const before = head === '' ? [] : head.split(':');
  if (tail === undefined) return before.map(plain);
  const after = tail === '' ? [] : tail.split(':');
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => '0'), ...after].map(plain);
}

/** An IPv4 address at the end written as the two groups it is. */
function inGroups(address: string): string {
  return address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...bytes: readonly string[]) => {
    const [a, b, c, d] = bytes.slice(0, 4).map((byte) => Number(byte).toString(16).padStart(2, '0'));
    return `${a}${b}:${c}${d}`;
  });
}

/** The IPv4 address that an IPv6 address stands for; null for any other. */
function mappedAddress(groups: readonly string[]): string | null {
  if (groups.slice(0, 6).join(':') !== '0:0:0:0:0:ffff') return null;
  return groups
    .slice(6)
    .flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255])
    .join('.');
}

function plain(group: string): string {
  return Number.parseInt(group, 16).toString(16);
}
