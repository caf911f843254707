import { editAccount } from '@lending/localnet';
import { bankLayout } from '@lending/programs';
import type { P0Bank } from '@lending/venues';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askAt } from './ask.ts';
import { makeAttempt } from './attempt.ts';
import { type BuildersWorld, openBuildersWorld } from './builders-world.ts';
import { createDice } from './dice.ts';
import { fund, makeAccount } from './made-wallet.ts';

const ROUNDS = 20;
const SOL = 1_000_000_000n;
/** Seconds of a bank's windows. */
const [HOUR, DAY] = [3_600n, 86_400n];

let world: BuildersWorld;

describe('the edge of a bank’s windows', () => {
  beforeAll(async () => {
    world = await openBuildersWorld();
  });

  afterAll(async () => {
    await world?.stop();
  });

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
        await makeAccount(world.ledger, wallet.address, [{ bank, side: 'asset', usd: 1_000 }]);
        const restore = limit(bank, BigInt(dice.between(1, 2_000_000)), dice.chance(50));
        const attempt = (amount: bigint | 'all', isOnSameState = true) =>
          makeAttempt(world, {
            ...{ aim: `round ${round}`, wallet, bank, isOnSameState },
            request: askAt('withdraw', wallet.address, bank, amount),
          });
        const refused = await attempt('all', false);
        expect(refused).toMatchObject({ code: 'WITHDRAW_LIMIT_EXCEEDED', details: { limited_by: 'rate_limit' } });
        const max = BigInt(refused.kind === 'refused' ? (refused.details.max_withdraw_raw as string) : '');
        expect(await attempt(max + 1n)).toMatchObject({ kind: 'refused', code: 'WITHDRAW_LIMIT_EXCEEDED' });
        expect((await attempt(max)).kind).toBe('landed');
        restore();
      }
    },
  );
});

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
