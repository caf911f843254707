import { deflateSync, gzipSync } from 'node:zlib';
import {
  findProgramIdl,
  MARGINFI_MAIN_GROUP,
  MARGINFI_PROGRAM,
  PROGRAM_METADATA_PROGRAM,
  programMetadataLayout,
} from '@lending/programs';
import { describe, expect, it } from 'vitest';
import { askProgram } from './read-program.ts';

const PLACE = { program: MARGINFI_PROGRAM, group: MARGINFI_MAIN_GROUP };

describe('the IDL beside the program', () => {
  const text = Buffer.from(JSON.stringify({ metadata: { version: '0.1.13' } }));
  const account = (compression: number, body: Uint8Array, dataSource = 0) => ({
    owner: PROGRAM_METADATA_PROGRAM,
    data: Uint8Array.from([
      ...programMetadataLayout.encode({
        program: MARGINFI_PROGRAM,
        authority: MARGINFI_PROGRAM,
        mutable: 1,
        canonical: 1,
        seed: new Uint8Array(16),
        encoding: 1,
        compression,
        format: 1,
        dataSource,
        dataLength: body.length,
        _padding: new Uint8Array(5),
      }),
      ...body,
    ]),
  });
  const versionIn = (found: unknown) => {
    const chain = { fetchAccounts: async () => [{ accounts: [found] }] } as never;
    return askProgram(chain, PLACE).readIdlVersion();
  };

  it('stands where the SDK of the maintainers looks for it', async () => {
    expect((await findProgramIdl(MARGINFI_PROGRAM))[0]).toBe('B66dYmjB9pJ3unjp3QMiEpySb8i44Zhev3qaYj5SfLPG');
    expect(programMetadataLayout.fixedSize).toBe(96);
  });

  it.each([
    ['plain', 0, text],
    ['by gzip', 1, gzipSync(text)],
    ['by zlib', 2, deflateSync(text)],
  ])('is read when it is written %s', async (_, compression, body) => {
    expect(await versionIn(account(compression, body))).toBe('0.1.13');
  });

  it('is nothing where it lies: no account, another owner, no JSON, a bomb, an address elsewhere', async () => {
    const bomb = deflateSync(Buffer.alloc(20_000_000));
    expect(await versionIn(null)).toBeNull();
    expect(await versionIn({ ...account(0, text), owner: MARGINFI_PROGRAM })).toBeNull();
    expect(await versionIn(account(0, Buffer.from('{')))).toBeNull();
    expect(await versionIn(account(0, Buffer.from('{"metadata":{"version":7}}')))).toBeNull();
    expect(await versionIn(account(2, bomb))).toBeNull();
    expect(await versionIn(account(0, text, 1))).toBeNull();
  });
});
