import type { LendingError } from '@lending/errors';
import {
  BUILT_VERSIONS,
  MARGINFI_MAIN_GROUP,
  MARGINFI_PROGRAM,
  type ProgramVersion,
  releaseOf,
} from '@lending/programs';
import { createLogger, createMetrics, parseConfig } from '@lending/runtime';
import type { LiveBank } from '@lending/transactions';
import { type Address, address } from '@solana/kit';
import { afterEach, describe, expect, it } from 'vitest';
import { apiSettings } from '../config.ts';
import { createProgramWatch, type ProgramWatch, pinnedSlots, refuseShortBanks } from './program-watch.ts';

const UPGRADEABLE_LOADER = 'BPFLoaderUpgradeab1e11111111111111111111111';
const BANK = address('2s37akK2eyBbp8DZgCm7RtsaEz8eJP3Nxd4urLHQv7yB');
const [OLD, NEW] = [1_000n, 2_000n];
const PINNED = new Map<bigint, ProgramVersion>([
  [OLD, '0.1.11'],
  [NEW, '0.1.12'],
]);

/** How long the accounts are, and when the program was deployed; changed as a test goes on. */
interface Node {
  slot: bigint;
  deployed: bigint;
  feeState: number;
  group: number;
  bank: number;
  calls: number;
}

const watches: ProgramWatch[] = [];
afterEach(async () => {
  await Promise.all(watches.splice(0).map((watch) => watch.close()));
});

/** A watch of a program whose slots are pinned, over a node that knows the accounts of `node`. */
function watch(change: Partial<Node> = {}) {
  const node: Node = { slot: 5_000n, deployed: OLD, ...releaseOf('0.1.11').sizes, calls: 0, ...change };
  const getMultipleAccounts = (addresses: readonly Address[]) => ({
    send: async () => {
      node.calls += 1;
      const data = Buffer.alloc(45);
      data.writeUInt32LE(3);
      data.writeBigUInt64LE(node.deployed, 4);
      const sized = [node.feeState, node.group, node.bank].map((space) => ({
        owner: MARGINFI_PROGRAM,
        space,
        data: [''],
      }));
      const value = [{ owner: UPGRADEABLE_LOADER, space: 45, data: [data.toString('base64')] }, ...sized];
      return { context: { slot: node.slot }, value: value.slice(0, addresses.length) };
    },
  });
  const made = createProgramWatch({
    ...{ program: MARGINFI_PROGRAM, group: MARGINFI_MAIN_GROUP, pinned: PINNED },
    chain: { rpc: { getMultipleAccounts }, fetchAccounts: async () => [] } as never,
    listBanks: async () => [{ address: BANK, hasUnknownNumber: false }],
    ...{ logger: createLogger({ level: 'silent', name: 'test' }), metrics: createMetrics(), everyMs: 3_600_000 },
  });
  watches.push(made);
  return { node, watch: made };
}

const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    ({ code, message }: LendingError) => ({ code, message }),
  );

describe('createProgramWatch', () => {
  it('knows a version once it was judged, and confirms it in one call', async () => {
    const { node, watch: program } = watch();
    expect(await program.version()).toBe('0.1.11');
    const before = node.calls;
    expect(await program.version()).toBe('0.1.11');
    expect(node.calls).toBe(before);
    await program.confirm('0.1.11');
    expect(node.calls).toBe(before + 1);
    expect(program.latest()).toEqual({ version: '0.1.11', deploy_slot: 1_000, standing: 'known', reason: null });
  });

  it('refuses to confirm a version that another one has replaced, and builds for that from then on', async () => {
    const { node, watch: program } = watch();
    await program.version();
    Object.assign(node, { deployed: NEW, bank: releaseOf('0.1.12').sizes.bank });
    expect(await refusal(program.confirm('0.1.11'))).toEqual({
      code: 'ACTION__PROGRAM_UPGRADING',
      message: expect.stringContaining('0.1.12 runs now, it was 0.1.11'),
    });
    expect(await program.version()).toBe('0.1.12');
  });

  it.each<[string, Partial<Node>, string, string]>([
    [
      'a fee state of a third length',
      { feeState: 700 },
      'ACTION__PROGRAM_UNSUPPORTED',
      'The fee state has 700 bytes, which no version known here writes',
    ],
    [
      'a group that is not lengthened',
      { group: 1_064 },
      'ACTION__PROGRAM_UPGRADING',
      'The group has 1064 bytes, 0.1.11 takes it to have 9256',
    ],
    [
      'a bank that is longer',
      { bank: 3_912 },
      'ACTION__PROGRAM_UNSUPPORTED',
      'A bank has 3912 bytes, 0.1.11 takes it to have 1864',
    ],
    [
      'a slot in which it was deployed',
      { slot: OLD },
      'ACTION__PROGRAM_UPGRADING',
      'The program was deployed in this slot',
    ],
  ])('builds nothing over %s, and says so in a line', async (_, change, code, line) => {
    const { watch: program } = watch(change);
    expect(await refusal(program.version())).toEqual({ code, message: expect.stringContaining(line) });
    expect(program.latest()?.reason).toBe(line);
  });

  it('does not go back to what a node that is behind still runs', async () => {
    const { node, watch: program } = watch({ deployed: NEW, bank: 3_912 });
    expect(await program.version()).toBe('0.1.12');
    Object.assign(node, { deployed: OLD, bank: 1_864 });
    await program.confirm('0.1.12');
    expect(await program.version()).toBe('0.1.12');
    expect(program.latest()?.deploy_slot).toBe(2_000);
  });

  it('builds on elsewhere while a bank is not lengthened', async () => {
    const { watch: program } = watch({ deployed: NEW });
    expect(await program.version()).toBe('0.1.12');
  });

  it('asks again while something speaks against building', async () => {
    const { node, watch: program } = watch({ group: 1_064 });
    await refusal(program.version());
    node.group = 9_256;
    expect(await program.version()).toBe('0.1.11');
  });
});

describe('P0_PROGRAM_SLOTS', () => {
  const { P0_PROGRAM_SLOTS } = apiSettings;
  const parse = (text: string) => parseConfig({ P0_PROGRAM_SLOTS }, { P0_PROGRAM_SLOTS: text }).P0_PROGRAM_SLOTS;

  it('takes every version that is built for, and no other', () => {
    const text = BUILT_VERSIONS.map((version, nth) => `${nth + 1}=${version}`).join(',');
    expect([...pinnedSlots(parse(text)).values()]).toEqual(BUILT_VERSIONS);
    for (const refused of ['1=0.1.9', '1=0.1.99', '0.1.12', '=0.1.12']) expect(() => parse(refused)).toThrow();
  });
});

describe('refuseShortBanks', () => {
  const stateOf = (bytes: number, held: readonly Address[] = [BANK]) => ({
    version: '0.1.12' as const,
    held: new Map(held.map((bank) => [bank, {} as LiveBank])),
    accounts: new Map([[BANK, { data: new Uint8Array(bytes) }]]) as never,
  });

  it('names a bank that was read shorter than the version takes it to be, held or acted on', () => {
    const named = `the bank ${BANK} is not as long yet as 0.1.12`;
    expect(() => refuseShortBanks(stateOf(1_864), [])).toThrow(named);
    expect(() => refuseShortBanks(stateOf(1_864, []), [BANK])).toThrow(named);
    expect(() => refuseShortBanks(stateOf(3_912), [BANK])).not.toThrow();
    expect(() => refuseShortBanks(stateOf(1_864, []), [])).not.toThrow();
  });
});
