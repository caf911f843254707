import type { LeverageDeps } from '@lending/api';
import { toWireError } from '@lending/errors';
import type { P0Bank } from '@lending/venues';
import type { KeyPairSigner } from '@solana/kit';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asset, debt } from './accounts.ts';
import { type ActionKind, askAt, askClose, askLoop } from './ask.ts';
import { attempt, build } from './attempt.ts';
import { findPair, type Pair } from './pairs.ts';
import { useScene } from './scene.ts';

const scene = useScene('unverified bank', attempt);
let pair: Pair;
let wallet: KeyPairSigner;

beforeAll(() => {
  pair = findPair(scene.world, 'SOL on dollars');
});

beforeEach(async () => {
  wallet = await scene.walletWith(100_000_000_000n, [pair.borrow, 1_000]);
  await scene.account(wallet, [asset(pair.deposit, 1_000)]);
  scene.world.settle();
});

/** The account owes dollars from here on. */
async function owe(): Promise<void> {
  await scene.account(wallet, [asset(pair.deposit, 1_000), debt(pair.borrow, 100)]);
  scene.world.settle();
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
  return { ...scene.world.deps, audits: { get: async () => audits }, overruledUntil };
}

/** The codes and banks of its warnings, or the wire code that it is refused with and the bank that is named. */
async function outcomeOf(kind: ActionKind | 'loop' | 'close', bank: P0Bank, deps: LeverageDeps): Promise<unknown> {
  const request =
    kind === 'loop'
      ? askLoop(wallet.address, pair, 1_000_000_000n, '2')
      : kind === 'close'
        ? askClose(wallet.address, pair, 'all')
        : askAt(kind, wallet.address, bank, scene.worth(bank, 10));
  try {
    const { warnings } = await build(deps, request);
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
    expect(await outcomeOf('borrow', borrow, differing([borrow]))).toBe(`BANK_UNVERIFIED ${borrow.address}`);
    expect(await outcomeOf('loop', borrow, differing([borrow]))).toBe(`BANK_UNVERIFIED ${borrow.address}`);
    expect(await outcomeOf('loop', borrow, differing([deposit]))).toBe(`BANK_UNVERIFIED ${deposit.address}`);
  });

  it('pays out only where no debt is left', async () => {
    const { deposit } = pair;
    expect(await outcomeOf('withdraw', deposit, differing([deposit]))).toEqual([deposit.address]);
    await owe();
    expect(await outcomeOf('withdraw', deposit, differing([deposit]))).toBe(`BANK_UNVERIFIED ${deposit.address}`);
  });

  it('takes deposits and repayments, and is closed, with a warning', async () => {
    const { deposit, borrow } = pair;
    await owe();
    expect(await outcomeOf('deposit', deposit, differing([deposit]))).toEqual([deposit.address]);
    expect(await outcomeOf('repay', borrow, differing([borrow]))).toEqual([borrow.address]);
    expect(await outcomeOf('close', borrow, differing([deposit, borrow]))).toEqual([deposit.address, borrow.address]);
  });

  it('is a warning where the account holds it and another is acted on', async () => {
    const { deposit, borrow } = pair;
    expect(await outcomeOf('borrow', borrow, differing([deposit]))).toEqual([deposit.address]);
    expect(await outcomeOf('borrow', borrow, differing([]))).toEqual([]);
  });

  it('is built for with a warning while an operator has it so', async () => {
    const { deposit, borrow } = pair;
    expect(await outcomeOf('borrow', borrow, differing([borrow], [borrow]))).toEqual([borrow.address]);
    expect(await outcomeOf('loop', borrow, differing([deposit, borrow], [deposit, borrow]))).toEqual([
      deposit.address,
      borrow.address,
    ]);
    expect(await outcomeOf('loop', borrow, differing([deposit, borrow], [deposit]))).toBe(
      `BANK_UNVERIFIED ${borrow.address}`,
    );
  });
});
