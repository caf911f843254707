import { compareRatios, healthRatioAtLeverage, type LeveragePair } from '@lending/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPriceBet, lossOf } from './bad-month.ts';
import { byScore } from './by-score.ts';
import { figuresAt, sizeAt } from './figures.ts';
import { listPairs } from './pairs.ts';
import { createRanker } from './ranker.ts';
import { SCORE_WEIGHTS } from './score/score.ts';
import type { Strategy } from './strategy.ts';
import { anyMarket, type Market } from './testing/any-market.ts';
import { NOW_MS, rankStrategies } from './testing/made-banks.ts';

const RUNS = 400;
const rank = ({ banks, swapCosts }: Market) => rankStrategies(banks, swapCosts, NOW_MS);
const keyOf = (pair: Pick<Strategy, 'supply' | 'borrow'>) => `${pair.supply.address}/${pair.borrow.address}`;
const isSound = (strategy: Strategy) => strategy.recommended.netApyPct > 0 && strategy.sizeUsd > 0n;

/** Holds for every strategy of any market; some market has one. */
function forEachStrategy(check: (strategy: Strategy) => void): void {
  let count = 0;
  fc.assert(
    fc.property(anyMarket, (market) => {
      for (const strategy of rank(market).strategies) {
        count += 1;
        check(strategy);
      }
    }),
    { numRuns: RUNS },
  );
  expect(count).toBeGreaterThan(RUNS / 4);
}

describe('rank', () => {
  it('has scores that anybody computes again from their parts', () => {
    forEachStrategy((strategy) => {
      const { score, kind, scoreParts } = strategy;
      const { penalty, badMonth, ...parts } = scoreParts;
      const base = isSound(strategy) && !isPriceBet(kind) ? 50 : 0;
      const merit =
        parts.liquidity * SCORE_WEIGHTS.liquidity +
        parts.capacity * SCORE_WEIGHTS.capacity +
        parts.stability * SCORE_WEIGHTS.stability +
        parts.carry * SCORE_WEIGHTS.carry;
      expect(Math.abs(score - base - 50 * (1 - penalty) * merit)).toBeLessThan(1e-9);
      for (const part of [...Object.values(parts), penalty, score / 100]) {
        expect(part).toBeGreaterThanOrEqual(0);
        expect(part).toBeLessThanOrEqual(1);
      }
    });
  });

  it('has every sound pair that bets on no price before the first that does, which loses by its bad month', () => {
    let mixed = 0;
    fc.assert(
      fc.property(anyMarket, (market) => {
        const { strategies } = rank(market);
        const firstBet = strategies.findIndex(({ kind }) => isPriceBet(kind));
        if (firstBet === -1) return;
        expect(strategies.slice(firstBet).filter((each) => isSound(each) && !isPriceBet(each.kind))).toEqual([]);
        if (firstBet > 0) mixed += 1;
        for (const { scoreParts, kind, recommendedLeverageHundredths: leverage } of strategies) {
          expect(scoreParts.badMonth.pct).toBeGreaterThanOrEqual(1);
          expect(scoreParts.badMonth.pct).toBeLessThanOrEqual(100);
          const loss = isPriceBet(kind) ? lossOf(scoreParts.badMonth, leverage) : 0;
          expect(scoreParts.penalty).toBeGreaterThanOrEqual(Math.min(0.9, loss));
        }
      }),
      { numRuns: RUNS },
    );
    expect(mixed).toBeGreaterThan(0);
  });

  it('never depends on how banks and quotes come', () => {
    const shuffled = anyMarket.chain((market) =>
      fc.tuple(
        fc.constant(market),
        fc.shuffledSubarray([...market.banks], { minLength: market.banks.length }),
        fc.shuffledSubarray([...market.swapCosts], { minLength: market.swapCosts.length }),
      ),
    );
    fc.assert(
      fc.property(shuffled, ([market, banks, swapCosts]) => {
        const { strategies, leftOut } = rank(market);
        expect(rankStrategies(banks, swapCosts, NOW_MS)).toEqual({ strategies, leftOut });
        for (const [index, strategy] of strategies.slice(1).entries())
          expect(byScore(strategies[index] as Strategy, strategy)).toBeLessThan(0);
      }),
      { numRuns: RUNS },
    );
  });

  it('lists every pair that is allowed, or tells which bank stands in the way', () => {
    fc.assert(
      fc.property(anyMarket, (market) => {
        const { strategies, leftOut } = rank(market);
        const listed = new Set(strategies.map(keyOf));
        expect(listed.size).toBe(strategies.length);
        const pairs = listPairs(market.banks);
        expect(pairs.length).toBeGreaterThanOrEqual(listed.size);
        const blamed = (side: 'deposit' | 'borrow', address: string) =>
          leftOut.some(({ bank, reason }) => bank.address === address && reason.startsWith(side));
        for (const pair of pairs)
          expect(listed.has(keyOf(pair))).toBe(
            !blamed('deposit', pair.supply.address) && !blamed('borrow', pair.borrow.address),
          );
      }),
      { numRuns: RUNS },
    );
  });

  it('recommends what is healthy and at most the maximum, and sizes that fit every room', () => {
    forEachStrategy((strategy) => {
      const { supply, borrow, swap, sizeUsd, recommendedLeverageHundredths: leverage } = strategy;
      const pair: LeveragePair = {
        collateral: supply.risk,
        debt: borrow.risk,
        originationFee: borrow.originationFee,
      };
      expect(strategy.maxLeverageHundredths).toBeGreaterThanOrEqual(101n);
      expect(leverage).toBeGreaterThanOrEqual(100n);
      expect(leverage).toBeLessThanOrEqual(strategy.maxLeverageHundredths);
      const health = healthRatioAtLeverage(pair, leverage);
      if (health !== null)
        expect(compareRatios(health, { numerator: 110n, denominator: 100n })).toBeGreaterThanOrEqual(0n);
      const isBlocked = supply.blockedBy !== null || borrow.blockedBy !== null;
      expect(strategy.bindingConstraint === 'state').toBe(isBlocked);
      expect(sizeUsd).toBeGreaterThanOrEqual(0n);
      expect(sizeAt(strategy, leverage)).toEqual({ sizeUsd, bindingConstraint: strategy.bindingConstraint });
      if (sizeUsd === 0n) return;
      const fits = (room: bigint | null, hundredths: bigint) => room === null || sizeUsd * hundredths <= room * 100n;
      expect(fits(supply.depositRoomUsd, leverage)).toBe(true);
      for (const room of [borrow.borrowRoomUsd, borrow.liquidityUsd, swap?.depthUsd ?? null])
        expect(fits(room, leverage - 100n) || leverage === 100n).toBe(true);
    });
  });

  it('shows at a chosen leverage what it shows at its own', () => {
    forEachStrategy((strategy) => {
      expect(figuresAt(strategy, strategy.recommendedLeverageHundredths)).toEqual(strategy.recommended);
      const atMax = figuresAt(strategy, strategy.maxLeverageHundredths);
      expect(atMax.netApyPct).toBe(strategy.rates.netApyAtMaxLeveragePct);
      expect(figuresAt(strategy, 100n, 5).netApyPct).toBe(strategy.rates.netApyBasePct);
    });
  });
});

describe('createRanker', () => {
  it('ranks what comes next as one that has seen nothing', () => {
    fc.assert(
      fc.property(fc.array(anyMarket, { minLength: 2, maxLength: 4 }), (markets) => {
        const ranker = createRanker();
        // Addresses repeat from market to market, configured otherwise each time; the first comes back.
        for (const market of [...markets, ...markets.slice(0, 1)])
          expect(ranker.rank(market.banks, market.swapCosts, NOW_MS)).toEqual(rank(market));
      }),
      { numRuns: RUNS / 4 },
    );
  });
});
