import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDice } from '../src/builders/dice.ts';
import { fund } from '../src/builders/made-wallet.ts';
import { baseWorth } from '../src/builders/worth.ts';
import { askLoop } from '../src/leverage/ask-leverage.ts';
import {
  attemptLeverage,
  type LeverageAttempt,
  landLeverage,
  refuseLeverage,
} from '../src/leverage/attempt-leverage.ts';
import { aBitMore, suppliedBy } from '../src/leverage/leverage-figures.ts';
import { type LeverageWorld, openLeverageWorld } from '../src/leverage/leverage-world.ts';
import { findPair, type NamedPair, PAIRS } from '../src/leverage/pairs.ts';

const SOL = 1_000_000_000n;
const PRINCIPAL_USD = 500;
/** So many of the pairs have to land at the very maximum that their weights allow. */
const LEAST_AT_MAXIMUM = 8;

const dice = createDice('leverage pairs');
const atMaximum = new Set<string>();
let world: LeverageWorld;

describe('[leverage-pairs] loops of every kind', () => {
  beforeAll(async () => {
    world = await openLeverageWorld();
  });

  afterAll(async () => {
    await world?.stop();
  });

  describe.each(PAIRS)('$name: $supply at $venue on $debt', (named) => {
    it.each(['1.1', '2'])('supplies exactly %s times the principal', async (leverage) => {
      const attempt = await loopAt(named, leverage);
      const { build, moved } = await landLeverage(world, attempt);
      expectSupplied(attempt, moved.supplied);
      expect(build.transactions).toHaveLength(1);
      expect(build).toMatchObject({ submit: 'sequential', newAccountIndex: 0 });
      expect(build.position?.leverage).not.toBeNull();
    });

    it('goes to the maximum, or says how far it goes now, and no further', async () => {
      const attempt = await loopAt(named, named.max);
      const asked = await attemptLeverage(world, attempt);
      if (asked.kind === 'landed') {
        atMaximum.add(named.name);
        expectSupplied(attempt, asked.moved.supplied);
        return;
      }
      expect(asked).toMatchObject({ code: 'LEVERAGE_EXCEEDED', details: { limited_by: expect.any(String) } });
      const smaller = String(asked.details.max_leverage);
      expect(Number(smaller)).toBeLessThan(Number(named.max));
      const { request } = attempt;
      const over = { ...attempt, isOnSameState: true, request: { ...request, leverage: aBitMore(smaller) } };
      expect(await refuseLeverage(world, over)).toMatchObject({ code: 'LEVERAGE_EXCEEDED' });
      const within = { ...attempt, isOnSameState: true, request: { ...request, leverage: smaller } };
      const { moved } = await landLeverage(world, within);
      expectSupplied(within, moved.supplied);
    });

    it('refuses a hundredth above the maximum before anything is looked at', async () => {
      const wallet = await dice.wallet();
      const pair = findPair(world, named);
      // Without a token: what the wallet has is not asked for.
      const request = askLoop(wallet.address, pair, 1_000n, aBitMore(named.max));
      const refused = await refuseLeverage(world, { aim: named.name, wallet, pair, request });
      expect(refused).toMatchObject({
        code: 'LEVERAGE_EXCEEDED',
        details: { max_leverage: Number(named.max) },
      });
    });
  });

  it('reaches the maximum at most of them', () => {
    expect(atMaximum.size).toBeGreaterThanOrEqual(LEAST_AT_MAXIMUM);
  });
});

async function loopAt(named: NamedPair, leverage: string): Promise<LeverageAttempt> {
  const pair = findPair(world, named);
  const wallet = await dice.wallet();
  const principal = baseWorth(world.ledger, pair.deposit, PRINCIPAL_USD);
  await fund(world.ledger, wallet, 20n * SOL, [[pair.deposit, principal * 2n]]);
  const request = askLoop(wallet.address, pair, principal, leverage);
  return { aim: `${named.name} at ${leverage}`, wallet, pair, request };
}

function expectSupplied({ request, pair, aim }: LeverageAttempt, supplied: bigint): void {
  expect(supplied, aim).toBe(suppliedBy(request, pair));
}
