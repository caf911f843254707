import { describe, expect, it } from 'vitest';
import { askLoop } from '../src/builders/ask.ts';
import { attempt, refuse } from '../src/builders/attempt.ts';
import { land } from '../src/builders/justify.ts';
import { aBitMore, findPair, type NamedPair, PAIRS, suppliedBy } from '../src/builders/pairs.ts';
import { SOL, useScene } from '../src/builders/scene.ts';

/** So many of the pairs have to land at the very maximum that their weights allow. */
const LEAST_AT_MAXIMUM = 8;

const scene = useScene('leverage pairs', land);
const atMaximum = new Set<string>();

describe('[leverage-pairs] loops of every kind', () => {
  describe.each(PAIRS)('$name: $supply at $venue on $debt', (named) => {
    it.each(['1.1', '2'])('supplies exactly %s times the principal', async (leverage) => {
      const looped = await loopAt(named, leverage);
      const { build, moved } = await scene.attempt(looped);
      expect(moved.supplied).toBe(suppliedBy(looped));
      expect(build.transactions).toHaveLength(1);
      expect(build).toMatchObject({ submit: 'sequential', newAccountIndex: 0 });
      expect(build.position?.leverage).not.toBeNull();
    });

    it('goes to the maximum, or says how far it goes now, and no further', async () => {
      const looped = await loopAt(named, named.max);
      const outcome = await attempt(scene.world, looped);
      if (outcome.kind === 'landed') {
        atMaximum.add(named.name);
        expect(outcome.moved.supplied).toBe(suppliedBy(looped));
        return;
      }
      expect(outcome).toMatchObject({ code: 'LEVERAGE_EXCEEDED', details: { limited_by: expect.any(String) } });
      const smaller = String(outcome.details.max_leverage);
      expect(Number(smaller)).toBeLessThan(Number(named.max));
      const at = (leverage: string) => ({ ...looped, isOnSameState: true, request: { ...looped.request, leverage } });
      expect(await refuse(scene.world, at(aBitMore(smaller)))).toMatchObject({ code: 'LEVERAGE_EXCEEDED' });
      const { moved } = await scene.attempt(at(smaller));
      expect(moved.supplied).toBe(suppliedBy(at(smaller)));
    });

    it('refuses a hundredth above the maximum before anything is looked at', async () => {
      const wallet = await scene.dice.wallet();
      const pair = findPair(scene.world, named);
      // Without a token: what the wallet has is not looked at.
      const request = askLoop(wallet.address, pair, 1_000n, aBitMore(named.max));
      expect(await refuse(scene.world, { wallet, pair, request })).toMatchObject({
        code: 'LEVERAGE_EXCEEDED',
        details: { max_leverage: Number(named.max) },
      });
    });
  });

  it('reaches the maximum at most of them', () => {
    expect(atMaximum.size).toBeGreaterThanOrEqual(LEAST_AT_MAXIMUM);
  });
});

async function loopAt(named: NamedPair, leverage: string) {
  const pair = findPair(scene.world, named);
  const wallet = await scene.walletWith(20n * SOL, [pair.deposit, 1_000]);
  const request = askLoop(wallet.address, pair, scene.worth(pair.deposit, 500), leverage);
  return { aim: `${named.name} at ${leverage}`, wallet, pair, request };
}
