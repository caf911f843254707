import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** A real account, with what an official coder read in it. */
export interface AccountDump {
  /** Folder and file, without its ending. */
  readonly name: string;
  /** Program and account, as the recording names it. */
  readonly kind: string;
  readonly decoder: string;
  readonly bytes: Uint8Array;
  /** Every field but padding; absent in some recordings. */
  readonly decoded?: unknown;
  readonly essentials: Record<string, unknown>;
}

/** Every dump there is, so that one that is added is tested. None without the fixtures. */
export function accountDumps(fixtures: string): readonly AccountDump[] {
  const root = resolve(fixtures, 'accounts');
  if (!existsSync(root)) return [];
  return readdirSync(root).flatMap((folder) =>
    readdirSync(resolve(root, folder))
      .filter((file) => /^[^.]+\.json$/.test(file))
      .map((file) => readDump(root, `${folder}/${file.replace('.json', '')}`)),
  );
}

function readDump(root: string, name: string): AccountDump {
  const json = (ending: string) => JSON.parse(readFileSync(resolve(root, `${name}${ending}`), 'utf8'));
  return { ...json('.expected.json'), name, bytes: Uint8Array.from(Buffer.from(json('.json').data[0], 'base64')) };
}
