import { createStore } from '../store.ts';
import { isAddress } from './is-address.ts';

const KEY = 'recent-addresses';
const MOST = 8;

/** Addresses that were looked at on this machine, newest first. They are kept in the browser alone. */
export const recentAddresses = createStore<readonly string[]>(read());

export function rememberAddress(address: string): void {
  write([address, ...read().filter((known) => known !== address)].slice(0, MOST));
}

export function forgetAddresses(): void {
  write([]);
}

function write(addresses: readonly string[]): void {
  try {
    window.localStorage.setItem(KEY, JSON.stringify(addresses));
  } catch {
    // A browser that keeps nothing remembers until the page is left.
  }
  recentAddresses.set(addresses);
}

/** What is kept may be anything: somebody else wrote it, or an older page did. */
function read(): readonly string[] {
  try {
    const kept: unknown = JSON.parse(window.localStorage.getItem(KEY) ?? '[]');
    if (!Array.isArray(kept)) return [];
    return kept.filter((entry): entry is string => typeof entry === 'string' && isAddress(entry)).slice(0, MOST);
  } catch {
    return [];
  }
}
