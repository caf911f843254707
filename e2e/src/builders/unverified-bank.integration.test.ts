import { buildAction, buildLeverage, type LeverageDeps } from '@lending/api';
import { toWireError } from '@lending/errors';
import type { P0Bank } from '@lending/venues';
import type { KeyPairSigner } from '@solana/kit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { askClose, askLoop } from '../leverage/ask-leverage.ts';
import { PLAIN } from '../leverage/attempt-leverage.ts';
import { type LeverageWorld, openLeverageWorld } from '../leverage/leverage-world.ts';
import { findPair, PAIRS, type Pair } from '../leverage/pairs.ts';
import { askAt } from './ask.ts';
import { createDice } from './dice.ts';
import { fund, makeAccount } from './made-wallet.ts';
import { baseWorth } from './worth.ts';

let world: LeverageWorld;
let pair: Pair;
let wallet: KeyPairSigner;

beforeAll(async () => {
  world = await openLeverageWorld();
  pair = findPair(world, PAIRS.find(({ name }) => name === 'SOL on dollars') as (typeof PAIRS)[number]);
});

afterAll(async () => {
  await world?.stop();
});

beforeEach(async () => {
  const { deposit, borrow } = pair;
  wallet = await createDice(expect.getState().currentTestName ?? '').wallet();
  await fund(world.ledger, wallet, 100_000_000_000n, [[borrow, baseWorth(world.ledger, borrow, 1_000)]]);
  await makeAccount(world.ledger, wallet.address, [{ bank: deposit, side: 'asset', usd: 1_000 }]);
  world.settle();
});

/** The account owes dollars from here on. */
async function owe(): Promise<void> {
  const { deposit, borrow } = pair;
  await makeAccount(world.ledger, wallet.address, [
    { bank: deposit, side: 'asset', usd: 1_000 },
    { bank: borrow, side: 'liability', usd: 100 },
  ]);
  world.settle();
}

/** Everything a build needs, where figures of these banks disagree. */
function differing(banks: readonly P0Bank[], overruled: readonly P0Bank[] = []): LeverageDeps {
  const audits = new Map(
    banks.map(({ address: bank }) => {
      const row = {
        bank,
        figure: 'rates',
        compared: 2n,
        differed: 1n,
        largest_units: '1',
        last_units: '-1',
        agreed_in_row: 0,
        unverified_since: 7n,
        last_difference: { field: 'borrowing_rate', ours: '1', theirs: '2', bound: '0', account: null, slot: '7' },
        slot: 9n,
        slot_time: new Date(),
      };
      return [bank as string, { bank, figures: [row], unverified: [row] }];
    }),
  );
  const overruledUntil = (bank: string) => (overruled.some(({ address }) => address === bank) ? 9e12 : null);
  return { ...world.deps, audits: { get: async () => audits }, overruledUntil };
}

type Single = 'deposit' | 'withdraw' | 'borrow' | 'repay';

/** The codes and banks of its warnings, or the wire code that it is refused with and the bank that is named. */
async function build(kind: Single | 'loop' | 'close', bank: P0Bank, deps: LeverageDeps): Promise<unknown> {
  const making =
    kind === 'loop'
      ? buildLeverage(deps, askLoop(wallet.address, pair, 1_000_000_000n, '2'), PLAIN)
      : kind === 'close'
        ? buildLeverage(deps, askClose(wallet.address, pair, 'all'), PLAIN)
        : buildAction(deps, askAt(kind, wallet.address, bank, baseWorth(world.ledger, bank, 10)), PLAIN);
  try {
    const { warnings } = await making;
    return warnings.filter(({ code }) => code === 'BANK_UNVERIFIED').map((warning) => warning.bank);
  } catch (error) {
    const { code, details, retryable } = toWireError(error);
    expect(retryable).toBe(false);
    expect(details).toMatchObject({ residuals: [{ figure: 'rates', ours: '1', theirs: '2', bound: '0', slot: 7 }] });
    return `${code} ${details.bank}`;
  }
}

describe('a bank whose figures disagree with the program’s own', () => {
  it('lends nothing, alone or in a loop on either side', async () => {
    const { deposit, borrow } = pair;
    expect(await build('borrow', borrow, differing([borrow]))).toBe(`BANK_UNVERIFIED ${borrow.address}`);
    expect(await build('loop', borrow, differing([borrow]))).toBe(`BANK_UNVERIFIED ${borrow.address}`);
    expect(await build('loop', borrow, differing([deposit]))).toBe(`BANK_UNVERIFIED ${deposit.address}`);
  });

  it('pays out only where no debt is left', async () => {
    const { deposit } = pair;
    expect(await build('withdraw', deposit, differing([deposit]))).toEqual([deposit.address]);
    await owe();
    expect(await build('withdraw', deposit, differing([deposit]))).toBe(`BANK_UNVERIFIED ${deposit.address}`);
  });

  it('takes deposits and repayments, and is closed, with a warning', async () => {
    const { deposit, borrow } = pair;
    await owe();
    expect(await build('deposit', deposit, differing([deposit]))).toEqual([deposit.address]);
    expect(await build('repay', borrow, differing([borrow]))).toEqual([borrow.address]);
    expect(await build('close', borrow, differing([deposit, borrow]))).toEqual([deposit.address, borrow.address]);
  });

  it('is a warning where the account holds it and another is acted on', async () => {
    const { deposit, borrow } = pair;
    expect(await build('borrow', borrow, differing([deposit]))).toEqual([deposit.address]);
    expect(await build('borrow', borrow, differing([]))).toEqual([]);
  });

  it('is built for with a warning while an operator has it so', async () => {
    const { deposit, borrow } = pair;
    expect(await build('borrow', borrow, differing([borrow], [borrow]))).toEqual([borrow.address]);
    expect(await build('loop', borrow, differing([deposit, borrow], [deposit, borrow]))).toEqual([
      deposit.address,
      borrow.address,
    ]);
    expect(await build('loop', borrow, differing([deposit, borrow], [deposit]))).toBe(
      `BANK_UNVERIFIED ${borrow.address}`,
    );
  });
});
