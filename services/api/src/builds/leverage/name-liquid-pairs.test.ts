import { LendingError } from '@lending/errors';
import type { CloseAction, LoopAction } from '@lending/transactions';
import { bankAddress, mintAddress } from '@lending/transactions/testing/made-market.ts';
import { describe, expect, it } from 'vitest';
import type { LiquidPair } from '../build-deps.ts';
import { createMadeLeverage } from '../outcome/testing/made-leverage.ts';
import { nameLiquidPairs } from './name-liquid-pairs.ts';

const NONE = new LendingError('ACTION__SWAP_UNAVAILABLE', { message: 'lower `amount`', context: { tried: [] } });
const TOO_LARGE = new LendingError('ACTION__TRANSACTION_EXCEEDED', { message: 'It is large. Lower `amount`.' });

const sides = { depositBank: bankAddress(0), borrowBank: bankAddress(1) };
const LOOP: LoopAction = {
  ...{ kind: 'loop', ...sides, principal: 1n, supplied: 3n },
  leverage: { numerator: 3n, denominator: 1n },
};
const CLOSE: CloseAction = { kind: 'close_position', ...sides, repay: 'all', surplus: 'wallet' };

/** Banks 0 and 2 are the account's collateral, and 1 is its debt. */
const { state } = await createMadeLeverage();

function pair(deposit: number, borrow: number, depthUsd: number, leverage = 4n): LiquidPair {
  const bank = (nth: number) => ({ address: bankAddress(nth), mint: mintAddress(nth), venue: 'p0' as const });
  return { deposit: bank(deposit), borrow: bank(borrow), maxLeverageHundredths: leverage * 100n, depthUsd };
}

async function named(
  action: LoopAction | CloseAction,
  pairs: readonly LiquidPair[],
  error: LendingError = NONE,
): Promise<LendingError> {
  const deps = { tables: { listPairs: async () => pairs } };
  return (await nameLiquidPairs(deps, { action, state }, error)) as LendingError;
}

const banksOf = ({ context }: LendingError) =>
  (context.pairs as readonly Record<string, unknown>[]).map(({ deposit_bank, borrow_bank, swap_depth_usd }) => [
    ...[deposit_bank, borrow_bank, swap_depth_usd],
  ]);

describe('pairs that are more liquid', () => {
  it('are what a loop may supply or borrow instead at its leverage, the most liquid first', async () => {
    const pairs = [
      pair(0, 1, 1_000),
      pair(0, 2, 2_000),
      pair(3, 1, Number.POSITIVE_INFINITY),
      // Less liquid, of other banks, and for less leverage.
      ...[pair(0, 3, 900), pair(4, 5, 9_000), pair(0, 4, 9_000, 2n)],
    ];
    const error = await named(LOOP, pairs);
    expect(error).toMatchObject({ code: 'ACTION__SWAP_UNAVAILABLE', context: { tried: [] } });
    expect(banksOf(error)).toEqual([
      [bankAddress(3), bankAddress(1), null],
      [bankAddress(0), bankAddress(2), 2_000],
    ]);
    expect(error.message).toContain(`lower \`amount\`; a more liquid pair is \`deposit_bank\` ${bankAddress(3)}`);
  });

  it('are other collateral of the account for the debt of a close', async () => {
    const error = await named(CLOSE, [pair(0, 1, 1_000), pair(2, 1, 2_000), pair(3, 1, 9_000), pair(2, 3, 9_000)]);
    expect(banksOf(error)).toEqual([[bankAddress(2), bankAddress(1), 2_000]]);
  });

  it('are named of a transaction that does not fit, too', async () => {
    const error = await named(CLOSE, [pair(2, 1, 2_000)], TOO_LARGE);
    expect(error).toMatchObject({ code: 'ACTION__TRANSACTION_EXCEEDED' });
    expect(error.message).toContain(`Lower \`amount\`; a more liquid pair is \`deposit_bank\` ${bankAddress(2)}`);
  });

  it('are none that is not known, and of no other error', async () => {
    expect(await named(LOOP, [pair(0, 1, 1_000), pair(0, 2, 1_000)])).toBe(NONE);
    const other = new LendingError('SWAP__UNAVAILABLE');
    expect(await named(LOOP, [pair(0, 2, 2_000)], other)).toBe(other);
  });
});
