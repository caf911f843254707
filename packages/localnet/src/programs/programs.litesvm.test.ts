import { existsSync } from 'node:fs';
import { ASSOCIATED_TOKEN_PROGRAM } from '@lending/programs';
import type { Address } from '@solana/kit';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { readU64 } from '#engine/bytes.ts';
import { SYSTEM_PROGRAM } from '#engine/runtime-addresses.ts';
import { buildInstructions } from './differential/build-instructions.ts';
import { instruction, type Meta, u16, u64 } from './differential/instruction-bytes.ts';
import { prepareWorld } from './differential/prepare-world.ts';
import { type RandomTransaction, randomTransactions } from './differential/random-operation.ts';
import { TwinChains } from './differential/twin-chains.ts';
import {
  type AnyInstruction,
  associatedAddress,
  PAYER,
  SHARED,
  SIDES,
  TOKEN,
  TOKEN_2022,
  WALLETS,
} from './differential/world.ts';
import { ACCOUNT } from './token/token-state.ts';

const FIXTURES_DIR = process.env.FIXTURES_DIR ?? `${import.meta.dirname}/../../../../../shared/fixtures`;
const DUMPED_MINT = existsSync(`${FIXTURES_DIR}/accounts/spl-token/mint-pyusd-token2022-2025.json`);
/** Sequences of 20 to 40 transactions. `RANDOM_RUNS=1000 RANDOM_SEED=7` looks further. */
const RUNS = Number(process.env.RANDOM_RUNS ?? 15);
const SEED = Number(process.env.RANDOM_SEED ?? 20_261_121);

const chains = await TwinChains.create(SHARED);

describe('the model engine beside LiteSVM', () => {
  prepareWorld(chains, FIXTURES_DIR);
  const start = chains.snapshot();
  const outcomes = new Map<string, number>();

  afterAll(() => {
    if (process.env.RANDOM_REPORT === undefined) return;
    const rows = [...outcomes].sort(([, left], [, right]) => right - left);
    console.log(rows.map(([outcome, count]) => `${count}\t${outcome}`).join('\n'));
  });

  function runBoth(transaction: RandomTransaction): void {
    if (transaction.epochs > 0) chains.setEpoch(chains.context.epoch + BigInt(transaction.epochs));
    const payer = transaction.payer < 17 ? PAYER : (WALLETS[transaction.payer % 3] ?? PAYER);
    const instructions = transaction.operations.flatMap((operation) => buildInstructions(operation, chains));
    const comparison = chains.run(payer, instructions, transaction.version);
    if (comparison === null) return;
    const { model, litesvm, result } = comparison;
    const outcome = JSON.stringify(litesvm.error);
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    expect(model, result.logs.join('\n')).toEqual(litesvm);
    expect(chains.differences(result.accountKeys), result.logs.join('\n')).toEqual([]);
  }

  it('gives the same bytes and errors for random System, Token, Token-2022 and ATA instructions', () => {
    fc.assert(
      fc.property(randomTransactions, (transactions) => {
        chains.reset(start);
        for (const transaction of transactions) runBoth(transaction);
        expect(chains.differences()).toEqual([]);
      }),
      { numRuns: RUNS, seed: SEED, endOnFailure: process.env.RANDOM_SHRINK === undefined },
    );
  });

  /** Runs on both, and fails unless they agree; the agreed error is the answer. */
  function agree(...instructions: readonly AnyInstruction[]): unknown {
    const comparison = chains.run(PAYER, instructions, 'legacy');
    expect(comparison?.model, comparison?.result.logs.join('\n')).toEqual(comparison?.litesvm);
    expect(chains.differences()).toEqual([]);
    return comparison?.litesvm.error;
  }

  it('starts an announced fee in its epoch, not before, and keeps it while the next one waits', () => {
    chains.reset(start);
    const { program, mints, accounts } = TOKEN_2022;
    const [, , mint, , source, destination] = [...mints.slice(0, 4), ...accounts.slice(4, 6)] as Address[];
    const setFee = (basisPoints: number) =>
      instruction(
        program,
        [
          ['w', mint as Address],
          ['s', WALLETS[0]],
        ],
        26,
        5,
        u16(basisPoints),
        u64(1_000_000n),
      );
    const move = () =>
      agree(
        instruction(
          program,
          [
            ['w', source as Address],
            ['r', mint as Address],
            ['w', destination as Address],
            ['s', WALLETS[0]],
          ],
          12,
          u64(10_001n),
          6,
        ),
      );
    const received = () => readU64(chains.account(destination as Address)?.data ?? new Uint8Array(), ACCOUNT.amount);
    const { epoch } = chains.context;
    expect(agree(setFee(5_000))).toBeNull();
    for (const [passed, fee] of [
      [0n, 251n],
      [1n, 251n],
      [2n, 5_001n],
    ] as const) {
      chains.setEpoch(epoch + passed);
      const before = received();
      expect(move()).toBeNull();
      expect(received() - before).toBe(10_001n - fee);
    }
    expect(agree(setFee(0))).toBeNull();
    const before = received();
    expect(move()).toBeNull();
    expect(received() - before).toBe(5_000n);
  });

  it('counts each signer of a multisig once', () => {
    chains.reset(start);
    const { program, accounts, multisig } = TOKEN;
    const [destination, , , , source] = accounts as Address[];
    const [first, second] = WALLETS;
    const move = (...signers: readonly Address[]) =>
      agree(
        instruction(
          program,
          [
            ['w', source as Address],
            ['w', destination as Address],
            ['r', multisig],
            ...signers.map((signer) => ['s', signer] as const),
          ],
          3,
          u64(1n),
        ),
      );
    expect(move(first, first)).toEqual({ InstructionError: [0, 'MissingRequiredSignature'] });
    expect(move(second, first)).toBeNull();
  });

  it('forgets a delegate that spent its whole allowance', () => {
    chains.reset(start);
    for (const { program, accounts } of SIDES) {
      const [source, destination] = accounts as [Address, Address];
      const [owner, , delegate] = WALLETS;
      const approve = instruction(
        program,
        [
          ['w', source],
          ['r', delegate],
          ['s', owner],
        ],
        4,
        u64(10n),
      );
      const spend = instruction(
        program,
        [
          ['w', source],
          ['w', destination],
          ['s', delegate],
        ],
        3,
        u64(5n),
      );
      expect(agree(approve, spend, spend)).toBeNull();
      expect(agree(spend)).toEqual({ InstructionError: [0, { Custom: 4 }] });
    }
  });

  it.skipIf(!DUMPED_MINT)(
    'moves a mainnet mint with a fee, a hook without a program and confidential extensions (needs FIXTURES_DIR)',
    () => {
      chains.reset(start);
      const { program, mints } = TOKEN_2022;
      const mint = mints[3] as Address;
      const [sender, receiver] = WALLETS;
      const [from, to] = [sender, receiver].map((wallet) => associatedAddress(wallet, mint, program)) as [
        Address,
        Address,
      ];
      const create = (account: Address, wallet: Address) =>
        instruction(
          ASSOCIATED_TOKEN_PROGRAM,
          [
            ['ws', PAYER],
            ['w', account],
            ['r', wallet],
            ['r', mint],
            ['r', SYSTEM_PROGRAM],
            ['r', program],
          ],
          1,
        );
      const moved: readonly Meta[] = [
        ['w', from],
        ['r', mint],
        ['w', to],
        ['s', sender],
      ];
      const comparison = chains.run(
        PAYER,
        [
          create(from, sender),
          create(to, receiver),
          instruction(
            program,
            [
              ['w', mint],
              ['w', from],
              ['s', sender],
            ],
            14,
            u64(1_000n),
            6,
          ),
          instruction(program, moved, 12, u64(300n), 6),
          instruction(program, moved, 26, 1, u64(30n), 6, u64(0n)),
        ],
        'legacy',
      );
      expect(comparison?.model).toEqual(comparison?.litesvm);
      expect(comparison?.litesvm.error).toBeNull();
      expect(chains.differences()).toEqual([]);
      expect(readU64(chains.account(to)?.data ?? new Uint8Array(), ACCOUNT.amount)).toBe(330n);
    },
  );
});
