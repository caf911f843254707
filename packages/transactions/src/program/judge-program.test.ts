import { deflateSync, gzipSync } from 'node:zlib';
import {
  findProgramIdl,
  MARGINFI_MAIN_GROUP,
  MARGINFI_PROGRAM,
  PROGRAM_METADATA_PROGRAM,
  programMetadataLayout,
  RELEASES,
} from '@lending/programs';
import { describe, expect, it } from 'vitest';
import { judgeProgram, type ProgramQuestions, type ProgramReading } from './judge-program.ts';
import { askProgram } from './read-program.ts';

const LONG = { feeState: 520, group: 9_256 };

function reading(deployed: bigint, fields: Partial<ProgramReading> = {}): ProgramReading {
  return { slot: deployed + 1_000n, deploySlot: deployed, ...LONG, banks: [1_864], ...fields };
}

/** A node on which a version runs: it dispatches that version's own instruction and those of all before it. */
function node(version: string | null, idlVersion: string | null = null) {
  const asked: string[] = [];
  const runs = RELEASES.findIndex((release) => release.version === version);
  const known = RELEASES.slice(0, runs + 1).flatMap(({ firstInstruction }) => firstInstruction ?? []);
  const questions: ProgramQuestions = {
    async dispatches(instruction) {
      asked.push(instruction);
      return (known as readonly string[]).includes(instruction);
    },
    readIdlVersion: async () => idlVersion,
  };
  return { asked, questions };
}

describe('judgeProgram', () => {
  it('knows a version by its slot, and asks nothing', async () => {
    const { asked, questions } = node('0.1.12', '0.1.13');
    expect(await judgeProgram(reading(444_313_123n), questions)).toEqual({
      version: '0.1.11',
      deploySlot: 444_313_123n,
      standing: 'known',
      reason: null,
    });
    expect(asked).toEqual([]);
  });

  it('knows the one version that lies between two slots, and what an operator pins', async () => {
    const { questions } = node(null);
    expect(await judgeProgram(reading(440_000_000n), questions)).toMatchObject({
      version: '0.1.10',
      standing: 'known',
    });
    const pinned = new Map([[452_000_000n, '0.1.12' as const]]);
    const banks = [3_912];
    expect(await judgeProgram(reading(452_000_000n, { banks }), questions, { pinned })).toMatchObject({
      version: '0.1.12',
      standing: 'known',
    });
  });

  it.each([
    ['0.1.12', [3_912, 3_912]],
    // Banks are lengthened one by one, and one may be left.
    ['0.1.12', [3_912, 1_864]],
    ['0.1.11', [1_864]],
    ['0.1.10', [1_864]],
  ] as const)('infers %s from what is dispatched and how long accounts are', async (version, banks) => {
    const judged = await judgeProgram(reading(460_000_000n, { banks }), node(version).questions);
    expect(judged).toMatchObject({ version, standing: 'inferred', reason: null });
  });

  it.each<[string, ProgramReading, string | null, string | null, string, string]>([
    [
      'a fee state that is not lengthened yet',
      reading(440_000_000n, { feeState: 264, group: 1_064 }),
      null,
      null,
      'upgrading',
      'The fee state has 264 bytes, 0.1.10 takes it to have 520',
    ],
    [
      'a deployment of this very slot',
      reading(444_313_123n, { slot: 444_313_123n }),
      null,
      null,
      'upgrading',
      'The program was deployed in this slot',
    ],
    [
      // No program runs in the slot of its deployment, so that nothing can be asked.
      'a deployment of this very slot, of a version that is not known',
      reading(460_000_000n, { slot: 460_000_000n }),
      null,
      null,
      'upgrading',
      'The program was deployed in this slot',
    ],
    [
      'a length of no version',
      reading(460_000_000n, { feeState: 700 }),
      '0.1.12',
      null,
      'unknown',
      'The fee state has 700 bytes, which no version known here writes',
    ],
    [
      'accounts that are longer than its version makes them',
      reading(444_313_123n, { banks: [3_912] }),
      null,
      null,
      'unknown',
      'A bank has 3912 bytes, 0.1.11 takes it to have 1864',
    ],
    [
      'an IDL of a newer version',
      reading(460_000_000n, { banks: [3_912] }),
      '0.1.12',
      '0.1.13',
      'unknown',
      "The program's IDL names version 0.1.13, the newest that is known here is 0.1.12",
    ],
    [
      'an IDL of a candidate for a newer version',
      reading(460_000_000n, { banks: [3_912] }),
      '0.1.12',
      '0.1.13-rc1',
      'unknown',
      "The program's IDL names version 0.1.13-rc1, the newest that is known here is 0.1.12",
    ],
    [
      'a program that is older than what is built for',
      reading(432_875_565n, { feeState: 264, group: 1_064 }),
      null,
      null,
      'unknown',
      'Nothing is built for 0.1.9',
    ],
    [
      'a program that dispatches nothing known',
      reading(460_000_000n),
      null,
      null,
      'unknown',
      'The program dispatches no instruction that tells a version that is built for',
    ],
  ])('says what is met: %s', async (_, read, runs, idl, standing, reason) => {
    expect(await judgeProgram(read, node(runs, idl).questions)).toMatchObject({ standing, reason });
  });

  it('takes a number that no version writes for a newer program, unless the slot says which one it is', async () => {
    const { questions } = node('0.1.12');
    const met = { unknownNumber: 'Bank X has a state that is not known here' };
    expect(await judgeProgram(reading(460_000_000n, { banks: [3_912] }), questions, met)).toMatchObject({
      standing: 'unknown',
      reason: met.unknownNumber,
    });
    expect(await judgeProgram(reading(444_313_123n), questions, met)).toMatchObject({ standing: 'known' });
  });

  it('takes an IDL that is older, or no version at all, for what it is: nothing against', async () => {
    const read = reading(460_000_000n, { banks: [3_912] });
    for (const named of ['0.1.9', '0.1.12', '0.1.12-rc2', 'next', '']) {
      expect(await judgeProgram(read, node('0.1.12', named).questions)).toMatchObject({ standing: 'inferred' });
    }
  });

  it.each([
    [true, 'The node runs instructions that no program has'],
    [{ unclear: 'Nobody pays' }, 'Nobody pays'],
  ])('says why a node is not to be asked: %j', async (answer, reason) => {
    const questions = { ...node(null).questions, dispatches: async () => answer };
    expect(await judgeProgram(reading(460_000_000n), questions)).toMatchObject({ standing: 'unknown', reason });
  });

  it('is not sure of a program without data', async () => {
    const read = { ...reading(1n), deploySlot: null };
    expect(await judgeProgram(read, node('0.1.12').questions)).toMatchObject({ deploySlot: null, standing: 'unknown' });
  });
});

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
