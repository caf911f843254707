import { existsSync } from 'node:fs';
import type { Address } from '@solana/kit';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { readU64 } from '#engine/bytes.ts';
import { SYSTEM_PROGRAM } from '#engine/runtime-addresses.ts';
import { ASSOCIATED_TOKEN_PROGRAM } from './associated-token/associated-token-program.ts';
import { buildInstructions } from './differential/build-instructions.ts';
import { instruction, type Meta, u64 } from './differential/instruction-bytes.ts';
import { prepareWorld } from './differential/prepare-world.ts';
import { type RandomTransaction, randomTransactions } from './differential/random-operation.ts';
import { TwinChains } from './differential/twin-chains.ts';
import { associatedAddress, PAYER, SHARED, TOKEN_2022, WALLETS } from './differential/world.ts';
import { ACCOUNT } from './token/token-state.ts';

const FIXTURES_DIR = process.env.FIXTURES_DIR ?? `${import.meta.dirname}/../../../../../shared/fixtures`;
const DUMPED_MINT = existsSync(`${FIXTURES_DIR}/accounts/spl-token/mint-pyusd-token2022-2025.json`);
/** Sequences of 20 to 40 transactions. `RANDOM_RUNS=1000 RANDOM_SEED=7` looks further. */
const RUNS = Number(process.env.RANDOM_RUNS ?? 150);
const SEED = Number(process.env.RANDOM_SEED ?? 20_261_121);

describe('the model engine beside LiteSVM', () => {
  const chains = new TwinChains(SHARED);
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
  }, 3_600_000);

  it.skipIf(!DUMPED_MINT)(
    'moves a mainnet mint with a fee, a hook without a program and confidential extensions',
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
