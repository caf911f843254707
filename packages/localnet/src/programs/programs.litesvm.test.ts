import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { buildInstructions } from './differential/build-instructions.ts';
import { prepareWorld } from './differential/prepare-world.ts';
import { type RandomTransaction, randomTransactions } from './differential/random-operation.ts';
import { TwinChains } from './differential/twin-chains.ts';
import { PAYER, SHARED, WALLETS } from './differential/world.ts';

const FIXTURES_DIR = process.env.FIXTURES_DIR ?? `${import.meta.dirname}/../../../../../shared/fixtures`;
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
});
