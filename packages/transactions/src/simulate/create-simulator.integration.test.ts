import { TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '@lending/programs';
import { explainProgramError } from '@lending/venues';
import { type Address, createNoopSigner, getAddressEncoder, type Instruction } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import {
  findAssociatedTokenPda,
  getCloseAccountInstruction,
  getCreateAssociatedTokenIdempotentInstruction,
  getMintEncoder,
  getSyncNativeInstruction,
  getTransferCheckedInstruction,
} from '@solana-program/token';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CompiledTransaction } from '#compile/compiled-transaction.ts';
import { createSimulator, type OwnedSimulator } from './create-simulator.ts';
import {
  addressOf,
  FRIEND,
  openTestChain,
  PAYER,
  SOL,
  STRANGER,
  type TestChain,
  transactionOf,
  wallet,
} from './testing/test-chain.ts';

const TABLE = addressOf(150);
const UNKNOWN_PROGRAM = addressOf(151);
const LOOKUP_TABLE_PROGRAM = 'AddressLookupTab1e1111111111111111111111111' as Address;
const BPF_LOADER = 'BPFLoader2111111111111111111111111111111111' as Address;
const DAY_MS = 24 * 3_600_000;

const transfer = (source: Address, destination: Address, lamports: bigint) =>
  getTransferSolInstruction({ source: createNoopSigner(source), destination, amount: lamports });

/** What the payer sends to a friend, who sends it on: the second fails without the first. */
const passOn = (lamports: bigint): readonly CompiledTransaction[] => [
  transactionOf([transfer(PAYER, FRIEND, lamports)]),
  transactionOf([transfer(FRIEND, STRANGER, lamports / 2n)], { payer: FRIEND }),
];

function lookupTable(entries: readonly Address[]) {
  const data = new Uint8Array(56 + entries.length * 32);
  data[0] = 1;
  data.fill(0xff, 4, 12);
  for (const [index, entry] of entries.entries()) data.set(getAddressEncoder().encode(entry), 56 + index * 32);
  return { lamports: SOL, owner: LOOKUP_TABLE_PROGRAM, data, executable: false };
}

const wrappedSol = {
  lamports: SOL,
  owner: TOKEN_PROGRAM,
  data: new Uint8Array(
    getMintEncoder().encode({
      mintAuthority: null,
      supply: 0n,
      decimals: 9,
      isInitialized: true,
      freezeAuthority: null,
    }),
  ),
  executable: false,
};

describe('createSimulator', () => {
  let test: TestChain;
  let simulator: OwnedSimulator;
  let nowMs = 0;

  beforeEach(async () => {
    test = await openTestChain({
      [PAYER]: wallet(10n * SOL),
      [FRIEND]: wallet(SOL / 100n),
      [TABLE]: lookupTable([FRIEND, STRANGER]),
      [WRAPPED_SOL_MINT]: wrappedSol,
      [UNKNOWN_PROGRAM]: { lamports: SOL, owner: BPF_LOADER, data: new Uint8Array(), executable: true },
    });
    nowMs = 0;
    simulator = createSimulator({ chain: test.chain, now: () => nowMs });
  });
  afterEach(async () => {
    await simulator.close();
    await test.stop();
  });

  describe('one transaction', () => {
    it('asks the node, and tells what the watched accounts became', async () => {
      const outcome = await simulator.simulate([transactionOf([transfer(PAYER, FRIEND, SOL)])], [PAYER, FRIEND, TABLE]);
      expect(outcome).toMatchObject({
        by: 'node',
        kind: 'passed',
        slot: test.node.ledger.slot('confirmed'),
        transactions: [{ unitsConsumed: 450, feeLamports: 5_100n }],
      });
      if (outcome.kind !== 'passed') return;
      expect(outcome.after.get(PAYER)?.lamports).toBe(9n * SOL - 5_100n);
      expect(outcome.after.get(FRIEND)).toMatchObject({ address: FRIEND, lamports: SOL + SOL / 100n });
      // It stands in no transaction.
      expect(outcome.after.has(TABLE)).toBe(false);
    });

    it('tells null for an account that does not exist afterwards', async () => {
      const all = 10n * SOL - 5_100n;
      const outcome = await simulator.simulate([transactionOf([transfer(PAYER, FRIEND, all)])], [PAYER]);
      expect(outcome).toMatchObject({ kind: 'passed', after: new Map([[PAYER, null]]) });
    });

    it('names the instruction that failed in words that explain themselves', async () => {
      const outcome = await simulator.simulate([transactionOf([transfer(PAYER, FRIEND, 11n * SOL)])], [PAYER]);
      expect(outcome).toMatchObject({
        by: 'node',
        kind: 'failed',
        index: 0,
        transactions: [],
        error: [2, { Custom: 1 }],
        reason: 'custom program error: 0x1',
      });
      if (outcome.kind !== 'failed') return;
      expect(explainProgramError(outcome)).toMatchObject({ cause: { number: 1, instructionIndex: 2 } });
    });

    it('gives the reason alone where no instruction ran', async () => {
      const outcome = await simulator.simulate([transactionOf([], { payer: STRANGER })], []);
      expect(outcome).toMatchObject({ kind: 'failed', error: null, reason: 'AccountNotFound' });
    });

    it('waits for no node that has not come to the slot', async () => {
      const minContextSlot = test.node.ledger.slot('confirmed') + 1n;
      const run = () => simulator.simulate(passOn(SOL).slice(0, 1), [], { minContextSlot });
      await expect(run()).rejects.toMatchObject({ code: 'CHAIN__RPC_UNAVAILABLE' });
      test.node.ledger.advanceSlot();
      await expect(run()).resolves.toMatchObject({ kind: 'passed', slot: minContextSlot });
    });
  });

  describe('several transactions', () => {
    it("asks the node's bundle simulation, of each account where it stands last", async () => {
      const outcome = await simulator.simulate(passOn(SOL), [PAYER, FRIEND, STRANGER]);
      expect(outcome).toMatchObject({ by: 'node_bundle', kind: 'passed', transactions: [{}, {}] });
      if (outcome.kind !== 'passed') return;
      expect([...outcome.after].map(([address, account]) => [address, account?.lamports])).toEqual([
        [PAYER, 9n * SOL - 5_100n],
        [FRIEND, SOL / 2n + SOL / 100n - 5_100n],
        [STRANGER, SOL / 2n],
      ]);
      expect(test.countOf('simulateBundle')).toBe(1);
      expect(test.countOf('getMultipleAccounts')).toBe(0);
    });

    it('names the transaction that failed, and tells of those before it', async () => {
      const transactions = [...passOn(SOL), transactionOf([transfer(FRIEND, PAYER, SOL)], { payer: FRIEND })];
      const outcome = await simulator.simulate(transactions, [PAYER]);
      expect(outcome).toMatchObject({
        by: 'node_bundle',
        kind: 'failed',
        index: 2,
        transactions: [{ unitsConsumed: 450 }, { unitsConsumed: 450 }],
        error: [2, { Custom: 1 }],
      });
    });

    it('runs them in this process where the node has no bundle simulation, and asks it again a day later', async () => {
      test.switchBundlesOff();
      await expect(simulator.simulate(passOn(SOL), [])).resolves.toMatchObject({ by: 'in_process', kind: 'passed' });
      await expect(simulator.simulate(passOn(SOL), [])).resolves.toMatchObject({ by: 'in_process' });
      expect(test.countOf('simulateBundle')).toBe(1);
      test.node.setFault(null);
      nowMs = DAY_MS - 1;
      await expect(simulator.simulate(passOn(SOL), [])).resolves.toMatchObject({ by: 'in_process' });
      nowMs = DAY_MS;
      await expect(simulator.simulate(passOn(SOL), [])).resolves.toMatchObject({ by: 'node_bundle' });
    });

    it('runs them in this process, once, where the bundle simulation fails otherwise', async () => {
      test.node.setFault({ kind: 'error', code: -32_603, message: 'Internal error', methods: ['simulateBundle'] });
      await expect(simulator.simulate(passOn(SOL), [])).resolves.toMatchObject({ by: 'in_process' });
      test.node.setFault(null);
      await expect(simulator.simulate(passOn(SOL), [])).resolves.toMatchObject({ by: 'node_bundle' });
    });

    it('says that a program has no code, where that is so', async () => {
      test.switchBundlesOff();
      const call = transactionOf([{ programAddress: UNKNOWN_PROGRAM }]);
      await expect(simulator.simulate([call, call], [])).rejects.toMatchObject({
        code: 'DATA__UNAVAILABLE',
        context: { program: UNKNOWN_PROGRAM },
      });
    });

    it('says that no node answers', async () => {
      test.node.setFault({ kind: 'unavailable' });
      await expect(simulator.simulate(passOn(SOL), [])).rejects.toMatchObject({ code: 'CHAIN__RPC_UNAVAILABLE' });
      await expect(simulator.simulate(passOn(SOL).slice(1), [])).rejects.toMatchObject({
        code: 'CHAIN__RPC_UNAVAILABLE',
      });
    });

    it('answers fifty at once, each with its own amounts', async () => {
      test.switchBundlesOff();
      const outcomes = await Promise.all(
        Array.from({ length: 50 }, (_, index) => simulator.simulate(passOn(SOL + BigInt(index) * 2n), [STRANGER])),
      );
      const received = outcomes.map((each) => (each.kind === 'passed' ? each.after.get(STRANGER)?.lamports : null));
      expect(received).toEqual(Array.from({ length: 50 }, (_, index) => SOL / 2n + BigInt(index)));
    });
  });

  describe('in this process and on the node', () => {
    let account: Address;
    beforeEach(async () => {
      const seeds = { owner: PAYER, mint: WRAPPED_SOL_MINT, tokenProgram: TOKEN_PROGRAM };
      [account] = await findAssociatedTokenPda(seeds);
    });

    const payer = createNoopSigner(PAYER);
    const open = () =>
      getCreateAssociatedTokenIdempotentInstruction({ payer, ata: account, owner: PAYER, mint: WRAPPED_SOL_MINT });
    const close = () => getCloseAccountInstruction({ account, destination: PAYER, owner: payer });
    const send = (amount: bigint) =>
      getTransferCheckedInstruction({
        source: account,
        mint: WRAPPED_SOL_MINT,
        destination: account,
        authority: payer,
        amount,
        decimals: 9,
      });
    const wrap = (lamports: bigint): readonly Instruction[] => [
      open(),
      transfer(PAYER, account, lamports),
      getSyncNativeInstruction({ account }),
    ];
    const first = transactionOf([transfer(PAYER, FRIEND, SOL)]);

    it.each<[string, () => readonly CompiledTransaction[]]>([
      ['transfers that build on each other', () => passOn(SOL)],
      ['SOL that is wrapped and unwrapped', () => [transactionOf(wrap(SOL)), transactionOf([close()])]],
      ['SOL that is wrapped and sent', () => [transactionOf(wrap(SOL)), transactionOf([send(SOL / 2n)])]],
      ['tokens that are not there', () => [transactionOf(wrap(SOL)), transactionOf([send(2n * SOL)])]],
      ['an account that does not exist', () => [first, transactionOf([send(1n)])]],
      ['a payer who does not exist', () => [first, transactionOf([], { payer: STRANGER })]],
      [
        'a payer who cannot pay',
        () => [transactionOf([transfer(FRIEND, PAYER, SOL / 100n)]), transactionOf([], { payer: FRIEND })],
      ],
      ['an account below what it has to hold', () => [first, transactionOf([transfer(PAYER, STRANGER, 1n)])]],
      ['too few units', () => [first, transactionOf(wrap(SOL), { computeUnitLimit: 1_000 })]],
      [
        'a lookup table',
        () => {
          const lookupTables = { [TABLE]: [FRIEND, STRANGER] };
          return [
            first,
            transactionOf([transfer(PAYER, FRIEND, SOL), transfer(PAYER, STRANGER, SOL)], { lookupTables }),
          ];
        },
      ],
      ['version 1', () => [first, transactionOf(wrap(SOL), { version: 1 })]],
    ])('comes to the same: %s', async (_, build) => {
      const transactions = build();
      const watch = [PAYER, FRIEND, STRANGER, account];
      const { by: onNode, ...expected } = await simulator.simulate(transactions, watch);
      expect(onNode).toBe('node_bundle');
      test.switchBundlesOff();
      const other = createSimulator({ chain: test.chain });
      try {
        // Twice, so that the second runs on what the first left behind.
        await other.simulate(transactions, watch);
        const { by, ...outcome } = await other.simulate(transactions, watch);
        expect(by).toBe('in_process');
        expect(outcome).toEqual(expected);
      } finally {
        await other.close();
      }
    });
  });
});
