import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readKeyFile } from './key-file.ts';

const SEED = Array.from({ length: 32 }, (_, index) => index + 1);
/** RFC 8032's way from this seed to its public key, as `solana-keygen` prints it. */
const ADDRESS = '9C6hybhQ6Aycep9jaUnP6uL9ZYvDjUp1aSkFWPUFJtpj';
const PUBLIC_KEY = [
  121, 181, 86, 46, 143, 230, 84, 249, 64, 120, 177, 18, 232, 169, 139, 167, 144, 31, 133, 58, 230, 149, 190, 215, 224,
  227, 145, 11, 173, 4, 150, 100,
];

let folder: string;

describe('readKeyFile', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'key-file-'));
  });

  afterAll(() => rm(folder, { recursive: true }));

  it('reads a seed, and a seed with its public key', async () => {
    expect((await readKeyFile(await write(SEED))).address).toBe(ADDRESS);
    expect((await readKeyFile(await write([...SEED, ...PUBLIC_KEY]))).address).toBe(ADDRESS);
  });

  it('gives a key that cannot be taken out again', async () => {
    const { keyPair } = await readKeyFile(await write(SEED));
    expect(keyPair.privateKey.extractable).toBe(false);
  });

  it.each([0o640, 0o604, 0o620, 0o644])('refuses a file with mode %o', async (mode) => {
    const path = await write(SEED);
    await chmod(path, mode);
    await expect(readKeyFile(path)).rejects.toThrow('chmod 600');
  });

  it('quotes nothing of a file it cannot use', async () => {
    for (const content of ['secret words', '"secret words"', '[1, 2, "secret"]', `[${'77,'.repeat(63)}77]`, '[256]']) {
      const error = await readKeyFile(await write(content)).catch((thrown: unknown) => thrown);
      expect(String(error)).toMatch(/holds no|is no JSON/);
      // The name of the folder is made of chance letters and digits.
      const shown = JSON.stringify(error, Object.getOwnPropertyNames(error)).replaceAll(folder, '');
      expect(shown).not.toMatch(/secret|77|256/);
    }
  });
});

async function write(content: readonly number[] | string): Promise<string> {
  const path = join(folder, 'key.json');
  await rm(path, { force: true });
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content), { mode: 0o600 });
  return path;
}
