import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { AccountBytes } from '@lending/venues';
import { type Address, address } from '@solana/kit';
import { FIXTURES, hasFixtures } from '../config.ts';

/** For a dump whose source did not record where it was. */
const NOWHERE: Address = address('11111111111111111111111111111112');

/** What the SDK made of a bank, as decimal text; null where it had no finite number. */
export interface RecordedRates {
  readonly totalAssetQuantity: string;
  readonly totalLiabilityQuantity: string;
  readonly utilizationRate: string | null;
  readonly baseInterestRate: string | null;
  readonly lendingRateApr: string | null;
  readonly borrowingRateApr: string | null;
}

export interface Recording {
  readonly name: string;
  readonly account: AccountBytes;
  readonly rates: RecordedRates | null;
}

/** Real accounts of FIXTURES_DIR, with the SDK's results where they lie beside them. */
export function openRecordings() {
  const isMissing = !hasFixtures;
  const json = (path: string) => JSON.parse(readFileSync(resolve(FIXTURES, path), 'utf8'));
  // Of a first contact no other coder read anything.
  const folders = isMissing
    ? []
    : readdirSync(resolve(FIXTURES, 'accounts')).filter((name) => name !== 'first-contact');
  const accounts = folders.flatMap((folder) => readFolder(folder));
  return { isMissing, accounts, json };

  function readFolder(folder: string): Recording[] {
    const names = readdirSync(resolve(FIXTURES, 'accounts', folder)).filter((name) => /^[^.]+\.json$/.test(name));
    return names.map((file) => {
      const dump = json(`accounts/${folder}/${file}`);
      const math = `accounts/${folder}/${file.replace('.json', '.math.json')}`;
      return {
        name: `${folder}/${file}`,
        account: {
          address: dump.address === null ? NOWHERE : address(dump.address),
          owner: address(dump.owner),
          data: Uint8Array.from(Buffer.from(dump.data[0], 'base64')),
        },
        rates: existsSync(resolve(FIXTURES, math)) ? json(math) : null,
      };
    });
  }
}
