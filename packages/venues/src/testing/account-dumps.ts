import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { address } from '@solana/kit';
import type { AccountBytes } from '#account.ts';
import { FEED } from './made-bank.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

/** A real account, and what other programs made of it. */
export interface AccountDump {
  readonly name: string;
  readonly account: AccountBytes;
  // biome-ignore lint/suspicious/noExplicitAny: a recording of another tool, read field by field
  readonly expected: any;
  // biome-ignore lint/suspicious/noExplicitAny: the same
  readonly math: any;
}

/**
 * The dumps of FIXTURES_DIR, by folder and the beginning of their name; none where it is missing. An address the source did not record
 * is the address of the made bank's feed.
 */
export function openDumps(fixturesDir = '../shared/fixtures') {
  const root = resolve(ROOT, fixturesDir);
  const isMissing = !existsSync(root);
  return { isMissing, dumps: (folder: string, prefix = '') => (isMissing ? [] : readDumps(root, folder, prefix)) };
}

function readDumps(root: string, folder: string, prefix: string): AccountDump[] {
  const path = resolve(root, 'accounts', folder);
  const json = (name: string) =>
    existsSync(resolve(path, name)) ? JSON.parse(readFileSync(resolve(path, name), 'utf8')) : null;
  return readdirSync(path)
    .filter((name) => name.startsWith(prefix) && /^[^.]+\.json$/.test(name))
    .map((name) => {
      const dump = json(name);
      return {
        name: `${folder}/${name}`,
        account: {
          address: address(dump.address ?? FEED),
          owner: address(dump.owner),
          data: Uint8Array.from(Buffer.from(dump.data[0], 'base64')),
        },
        expected: json(name.replace('.json', '.expected.json')),
        math: json(name.replace('.json', '.math.json')),
      };
    });
}
