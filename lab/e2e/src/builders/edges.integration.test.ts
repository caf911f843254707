import { editAccount } from '@lending/localnet';
import { bankLayout } from '@lending/programs';
import { useDatabase } from '@lending/store/testing';
import type { P0Bank } from '@lending/venues';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asset, debt } from './accounts.ts';
import type { ActionKind } from './ask.ts';
import { judge } from './justify.ts';
import { openReader, type Reader } from './reader.ts';
import { isCollateral, isOpen, SOL, useScene } from './scene.ts';

/** `EDGE_ROUNDS=100` looks at more. */
const ROUNDS = Number(process.env.EDGE_ROUNDS ?? 20);
const HEALTH_ROUNDS = Number(process.env.EDGE_ROUNDS ?? 10);
/** Seconds of a bank's windows. */
const [HOUR, DAY] = [3_600n, 86_400n];

const scene = useScene('edges', judge);
const database = useDatabase();
let reader: Reader;

beforeAll(async () => {
  reader = await openReader(scene.world, database);
});

afterAll(() => reader?.stop());

describe('the edge of a bank’s windows', () => {
  it.each(['kamino', 'juplend', 'solend'] as const)(
    'is exact on %s: the amount that a refusal names lands, and one base unit more fails on the chain',
    async (venue) => {
      const { dice, world } = scene;
      const banks = world.banks.filter((bank) => bank.venue === venue && isOpen(bank));
      for (let round = 0; round < ROUNDS; round += 1) {
        // What a receipt is worth changes with time.
        world.pass(dice.between(1, 100_000));
        const bank = dice.pick(banks);
        const wallet = await scene.walletWith(SOL);
        const account = await scene.account(wallet, [asset(bank, 1_000)]);
        const restore = limit(bank, BigInt(dice.between(1, 2_000_000)), dice.chance(50));
        const withdraw = (amount: bigint | 'all', isOnSameState = true) =>
          scene.act(wallet, 'withdraw', bank, amount, {}, { aim: `round ${round}`, isOnSameState });
        const refused = await withdraw('all', false);
        expect(refused).toMatchObject({ code: 'WITHDRAW_LIMIT_EXCEEDED', details: { limited_by: 'rate_limit' } });
        const max = BigInt(refused.kind === 'refused' ? (refused.details.max_withdraw_raw as string) : '');
        expect((await reader.read(account)).maxWithdraw(bank)).toEqual({ maxBase: max, limitedBy: 'rate_limit' });
        expect(await withdraw(max + 1n)).toMatchObject({ kind: 'refused', code: 'WITHDRAW_LIMIT_EXCEEDED' });
        expect((await withdraw(max)).kind).toBe('landed');
        restore();
      }
    },
  );
});

describe('the edge of health', () => {
  it.each(['p0', 'kamino', 'juplend', 'solend'] as const)(
    'is exact on deposits in %s that nothing touched for an hour: what a read names lands, one base unit more fails on the chain',
    async (venue) => {
      const { dice, world } = scene;
      /** Banks at a venue whose deposits count for new debt. */
      const collateralAt = (at: P0Bank['venue'], ...except: readonly P0Bank[]) =>
        world.banks.filter(
          (bank) => bank.venue === at && isCollateral(bank) && bank.riskTier === 'Collateral' && !except.includes(bank),
        );
      for (let round = 0; round < HEALTH_ROUNDS; round += 1) {
        const wallet = await scene.walletWith(SOL);
        const collateral = dice.pick(collateralAt(venue));
        const other = dice.pick(collateralAt('p0', collateral));
        const owed = dice.pick(collateralAt('p0', collateral, other));
        const account = await scene.account(wallet, [
          asset(collateral, dice.between(1_000, venue === 'p0' ? 500_000 : 20_000)),
          asset(other, dice.between(1, 1_000)),
          debt(owed, dice.between(100, 500)),
        ]);
        world.pass(Number(HOUR));
        const capacities = await reader.read(account);
        const [withdrawn, borrowed] = [capacities.maxWithdraw(collateral), capacities.maxBorrow(owed)];
        const aim = `round ${round}, ${withdrawn.limitedBy}, ${borrowed.limitedBy}`;
        const act = (kind: ActionKind, bank: P0Bank, amount: bigint) =>
          scene.act(wallet, kind, bank, amount, {}, { aim, isOnSameState: true });
        expect((await act('withdraw', collateral, withdrawn.maxBase + 1n)).kind).toBe('refused');
        expect((await act('borrow', owed, borrowed.maxBase + 1n)).kind).toBe('refused');
        // What is written as deposited is not in the venue's pool: all that is free there is less than was deposited.
        const withdraws = borrowed.maxBase === 0n || (withdrawn.limitedBy !== 'liquidity' && dice.chance(50));
        const landed = withdraws
          ? await act('withdraw', collateral, withdrawn.maxBase)
          : await act('borrow', owed, borrowed.maxBase);
        expect(landed.kind, landed.kind === 'refused' ? landed.error.message : '').toBe('landed');
      }
    },
  );
});

/** Opens a bank's windows for so many base units: one of them, or both, the other then with more. */
function limit(bank: P0Bank, maxOutflow: bigint, isHourly: boolean): () => void {
  const write = (hourly: bigint, daily: bigint) => {
    const window = (most: bigint, windowDuration: bigint) => ({
      ...{ maxOutflow: most, windowDuration, windowStart: scene.ledger.unixTimestamp },
      ...{ prevWindowOutflow: 0n, curWindowOutflow: 0n },
    });
    editAccount(scene.ledger, bankLayout, bank.address, (stored) => ({
      ...stored,
      rateLimiter: { ...stored.rateLimiter, hourly: window(hourly, HOUR), daily: window(daily, DAY) },
    }));
  };
  write(isHourly ? maxOutflow : maxOutflow * 2n, isHourly ? 0n : maxOutflow);
  return () => write(0n, 0n);
}
