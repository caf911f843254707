import { ASSET_TAG } from '@lending/domain';
import { editAccount } from '@lending/localnet';
import { bankLayout } from '@lending/programs';
import { useDatabase } from '@lending/testing';
import type { P0Bank } from '@lending/venues';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askAt } from './ask.ts';
import { makeAttempt } from './attempt.ts';
import { type BuildersWorld, openBuildersWorld } from './builders-world.ts';
import { createDice } from './dice.ts';
import { fund, makeAccount } from './made-wallet.ts';
import { openReader, type Reader } from './reader.ts';

/** `EDGE_ROUNDS=100` looks at more. */
const ROUNDS = Number(process.env.EDGE_ROUNDS ?? 20);
const HEALTH_ROUNDS = Number(process.env.EDGE_ROUNDS ?? 10);
const SOL = 1_000_000_000n;
/** Seconds of a bank's windows. */
const [HOUR, DAY] = [3_600n, 86_400n];

const database = useDatabase();
let world: BuildersWorld;
let reader: Reader;

beforeAll(async () => {
  world = await openBuildersWorld();
  reader = await openReader(world, database);
});

afterAll(async () => {
  await reader?.stop();
  await world?.stop();
});

describe('the edge of a bank’s windows', () => {
  it.each(['kamino', 'juplend', 'solend'] as const)(
    'is exact on %s: the amount that a refusal names lands, and one base unit more fails on the chain',
    async (venue) => {
      const dice = createDice(`windows of ${venue}`);
      const banks = world.banks.filter((bank) => bank.venue === venue && bank.operationalState === 'Operational');
      for (let round = 0; round < ROUNDS; round += 1) {
        // What a receipt is worth changes with time.
        world.pass(dice.between(1, 100_000));
        const bank = dice.pick(banks);
        const wallet = await dice.wallet();
        await fund(world.ledger, wallet, SOL);
        const account = await makeAccount(world.ledger, wallet.address, [{ bank, side: 'asset', usd: 1_000 }]);
        const restore = limit(bank, BigInt(dice.between(1, 2_000_000)), dice.chance(50));
        const attempt = (amount: bigint | 'all', isOnSameState = true) =>
          makeAttempt(world, {
            ...{ aim: `round ${round}`, wallet, bank, isOnSameState },
            request: askAt('withdraw', wallet.address, bank, amount),
          });
        const refused = await attempt('all', false);
        expect(refused).toMatchObject({ code: 'WITHDRAW_LIMIT_EXCEEDED', details: { limited_by: 'rate_limit' } });
        const max = BigInt(refused.kind === 'refused' ? (refused.details.max_withdraw_raw as string) : '');
        expect((await reader.read(account)).maxWithdraw(bank)).toEqual({ maxBase: max, limitedBy: 'rate_limit' });
        expect(await attempt(max + 1n)).toMatchObject({ kind: 'refused', code: 'WITHDRAW_LIMIT_EXCEEDED' });
        expect((await attempt(max)).kind).toBe('landed');
        restore();
      }
    },
  );
});

describe('the edge of health', () => {
  it.each(['p0', 'kamino', 'juplend', 'solend'] as const)(
    'is exact on deposits in %s that nothing touched for an hour: what a read names lands, one base unit more fails on the chain',
    async (venue) => {
      const dice = createDice(`health of ${venue}`);
      for (let round = 0; round < HEALTH_ROUNDS; round += 1) {
        const wallet = await dice.wallet();
        await fund(world.ledger, wallet, SOL);
        const collateral = dice.pick(collateralAt(venue));
        const other = dice.pick(collateralAt('p0').filter((bank) => bank !== collateral));
        const debt = dice.pick(collateralAt('p0').filter((bank) => bank !== collateral && bank !== other));
        const account = await makeAccount(world.ledger, wallet.address, [
          { bank: collateral, side: 'asset', usd: dice.between(1_000, venue === 'p0' ? 500_000 : 20_000) },
          { bank: other, side: 'asset', usd: dice.between(1, 1_000) },
          { bank: debt, side: 'liability', usd: dice.between(100, 500) },
        ]);
        world.pass(Number(HOUR));
        const capacities = await reader.read(account);
        const [withdrawn, borrowed] = [capacities.maxWithdraw(collateral), capacities.maxBorrow(debt)];
        const attempt = (kind: 'withdraw' | 'borrow', bank: P0Bank, amount: bigint) =>
          makeAttempt(world, {
            ...{
              aim: `round ${round}, ${withdrawn.limitedBy}, ${borrowed.limitedBy}`,
              wallet,
              bank,
              isOnSameState: true,
            },
            request: askAt(kind, wallet.address, bank, amount),
          });
        expect((await attempt('withdraw', collateral, withdrawn.maxBase + 1n)).kind).toBe('refused');
        expect((await attempt('borrow', debt, borrowed.maxBase + 1n)).kind).toBe('refused');
        // What is written as deposited is not in the venue's pool: all that is free there is less than was deposited.
        const withdraws = borrowed.maxBase === 0n || (withdrawn.limitedBy !== 'liquidity' && dice.chance(50));
        const landed = withdraws
          ? await attempt('withdraw', collateral, withdrawn.maxBase)
          : await attempt('borrow', debt, borrowed.maxBase);
        expect(landed.kind, landed.kind === 'refused' ? landed.error.message : '').toBe('landed');
      }
    },
  );
});

/** Banks at a venue whose deposits count for new debt. */
function collateralAt(venue: P0Bank['venue']): readonly P0Bank[] {
  return world.banks.filter(
    (bank) =>
      bank.venue === venue &&
      bank.operationalState === 'Operational' &&
      bank.riskTier === 'Collateral' &&
      bank.assetTag !== ASSET_TAG.staked &&
      bank.weights.assetInit > 0n,
  );
}

/** Opens a bank's windows for so many base units: one of them, or both, the other then with more. */
function limit(bank: P0Bank, maxOutflow: bigint, isHourly: boolean): () => void {
  const write = (hourly: bigint, daily: bigint) => {
    const window = (most: bigint, windowDuration: bigint) => ({
      ...{ maxOutflow: most, windowDuration, windowStart: world.ledger.unixTimestamp },
      ...{ prevWindowOutflow: 0n, curWindowOutflow: 0n },
    });
    editAccount(world.ledger, bankLayout, bank.address, (stored) => ({
      ...stored,
      rateLimiter: { ...stored.rateLimiter, hourly: window(hourly, HOUR), daily: window(daily, DAY) },
    }));
  };
  write(isHourly ? maxOutflow : maxOutflow * 2n, isHourly ? 0n : maxOutflow);
  return () => write(0n, 0n);
}
