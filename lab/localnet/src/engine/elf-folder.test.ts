import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MARGINFI_PROGRAM } from '@lending/programs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readElfFolder } from './elf-folder.ts';
import { createLiteSvmEngine } from './litesvm-engine.ts';
import { addressOf } from './testing-transactions.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'elf-folder-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

function put(name: string, ...bytes: number[]): void {
  writeFileSync(join(folder, name), Uint8Array.from(bytes));
}

const invalid = (text: string) =>
  expect.objectContaining({ code: 'LOCALNET__PROGRAM_INVALID', message: expect.stringContaining(text) });

describe('readElfFolder', () => {
  it('reads files named by a program id or by a known name, and no others', () => {
    put('marginfi.so', 1, 2);
    put(`${addressOf(7)}.so`, 3);
    put('README.md', 4);
    expect(readElfFolder(folder)).toEqual([
      { programId: addressOf(7), path: join(folder, `${addressOf(7)}.so`), elf: Uint8Array.of(3) },
      { programId: MARGINFI_PROGRAM, path: join(folder, 'marginfi.so'), elf: Uint8Array.of(1, 2) },
    ]);
  });

  it('names a file whose name is no program', () => {
    put('lending.so', 1);
    expect(() => readElfFolder(folder)).toThrow(invalid('lending.so'));
  });

  it('names two files of one program', () => {
    put('marginfi.so', 1);
    put(`${MARGINFI_PROGRAM}.so`, 1);
    expect(() => readElfFolder(folder)).toThrow(invalid('the same program'));
  });

  it('names a folder that is not there', () => {
    expect(() => readElfFolder(join(folder, 'nowhere'))).toThrow(invalid('nowhere'));
  });
});

describe('createLiteSvmEngine', () => {
  it('names a file that holds no program', async () => {
    put('marginfi.so', 1, 2, 3);
    await expect(createLiteSvmEngine({ folder })).rejects.toEqual(invalid('marginfi.so'));
  });
});
