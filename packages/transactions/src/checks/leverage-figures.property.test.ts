import { floorI80F48, I80F48_ONE } from '@lending/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LeverageState } from '#live/leverage-state.ts';
import { setKaminoBank } from '#testing/made-kamino.ts';
import { createMadeMarket, debt, deposit, mintAddress, NOW } from '#testing/made-market.ts';
import { closeOf, loopOf, readMadePair, refusalOfBuild } from '#testing/made-pair.ts';
import { pairLeverageOf } from './pair-leverage.ts';

const MOST = 10n ** 12n;
const base = (min: bigint, max: bigint = MOST) => fc.bigInt({ min, max });
const weight = (min: number, max: number) => fc.integer({ min, max }).map((part) => (I80F48_ONE * BigInt(part)) / 100n);
const off = { maxOutflow: 0n, windowDuration: 0n, windowStart: 0n, prevWindowOutflow: 0n, curWindowOutflow: 0n };
/** Used up: nothing but a flash loan gets past it. */
const hourly = { ...off, maxOutflow: 1n, windowDuration: 3_600n, windowStart: NOW, curWindowOutflow: 1n };

const madeBank = fc.record({
  assetShareValue: base(I80F48_ONE, I80F48_ONE * 2n),
  liabilityShareValue: base(I80F48_ONE, I80F48_ONE * 2n),
  depositRoom: fc.option(base(MOST / 100n, MOST / 5n), { nil: null, freq: 2 }),
  borrowRoom: fc.option(base(1n), { nil: null, freq: 2 }),
  vaultBase: base(MOST / 1_000n, MOST / 10n),
  priceUsdE8: base(1_000_000n, 10_000_000_000n),
  assetWeight: weight(40, 95),
  liabilityWeight: weight(101, 140),
  limitUsd: fc.option(base(1n, 10_000_000n), { nil: 0n, freq: 3 }),
  fee: weight(0, 1),
  isFeedOld: fc.integer({ min: 0, max: 14 }).map((die) => die === 0),
});
const made = fc.record({
  collateral: madeBank,
  debt: madeBank,
  other: madeBank,
  isKamino: fc.boolean(),
  hasOneMint: fc.integer({ min: 0, max: 5 }).map((die) => die === 0),
  /** Of the collateral bank, owed to the debt bank, and of a third on either side. */
  held: base(0n, MOST / 10n),
  owed: base(0n, MOST / 100n),
  third: fc.record({
    side: fc.constantFrom('deposit', 'deposit', 'debt', 'none', 'none'),
    amount: base(2n, MOST / 50n),
  }),
  principal: base(10n ** 6n, MOST / 10n),
  /** Of what is above 1 in the pair's maximum, per cent. */
  leveragePart: base(1n, 105n),
  /** Of the debt, per cent. */
  repayPart: fc.option(base(1n, 105n), { nil: null }),
  slippageBps: fc.integer({ min: 0, max: 300 }),
});
type Made = typeof made extends fc.Arbitrary<infer T> ? T : never;
type MadeBank = Made['collateral'];

async function stateOf(one: Made): Promise<LeverageState> {
  const market = createMadeMarket();
  setBank(0, one.collateral, one.isKamino);
  setBank(1, one.debt, false, one.hasOneMint ? { mint: mintAddress(0) } : {});
  setBank(2, one.other, false);
  const { held, owed, third } = one;
  market.setAccount([
    ...(held < MOST / 100n ? [] : [deposit(0, held)]),
    ...(owed < MOST / 1_000n ? [] : [debt(1, owed)]),
    ...(third.side === 'deposit' ? [deposit(2, third.amount)] : []),
    ...(third.side === 'debt' ? [debt(2, third.amount)] : []),
  ]);
  await market.setTokens(mintAddress(0), 2n ** 63n);
  return readMadePair(market, 0, 1);

  function setBank(
    nth: number,
    bank: MadeBank,
    isKamino: boolean,
    parts: { readonly mint?: ReturnType<typeof mintAddress> } = {},
  ) {
    const [deposited, lent] = [MOST * 2n, MOST];
    const shares = (amount: bigint, value: bigint) => (amount * I80F48_ONE * I80F48_ONE) / value;
    const assetShareValue = isKamino ? I80F48_ONE : bank.assetShareValue;
    const fields = {
      assetShareValue,
      liabilityShareValue: bank.liabilityShareValue,
      totalAssetShares: shares(deposited, assetShareValue),
      totalLiabilityShares: isKamino ? 0n : shares(lent, bank.liabilityShareValue),
      rateLimiter: { hourly, daily: off },
    };
    const config = {
      assetWeightInit: bank.assetWeight,
      assetWeightMaint: bank.assetWeight,
      liabilityWeightInit: bank.liabilityWeight,
      liabilityWeightMaint: I80F48_ONE,
      totalAssetValueInitLimit: bank.limitUsd,
      ...(bank.depositRoom === null ? {} : { depositLimit: deposited + bank.depositRoom }),
      ...(bank.borrowRoom === null ? {} : { borrowLimit: lent + bank.borrowRoom }),
    };
    if (isKamino) setKaminoBank(market, nth, { ...fields, config });
    else market.setBank(nth, { ...fields, config }, { ...bank, ...parts });
    market.setPyth(nth, bank.priceUsdE8, bank.isFeedOld ? NOW - 500n : NOW);
  }
}

describe('the figures of a refused loop', () => {
  it('land when they are asked for, and one hundredth more does not', async () => {
    const seen = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(made, async (one) => {
        const state = await stateOf(one);
        const ask = (hundredths: bigint) =>
          refusalOfBuild(state, loopOf(state, one.principal, hundredths), { slippageBps: one.slippageBps });
        const pairMax = pairLeverageOf(state) ?? 1_000n;
        const asked = 101n + ((pairMax - 100n) * one.leveragePart) / 100n;
        const refused = ask(asked);
        count(seen, refused);
        const named = refused?.context.max_leverage;
        if (typeof named !== 'number') return;
        const max = BigInt(Math.round(named * 100));
        expect(max).toBeLessThan(asked);
        if (named === refused?.context.pair_max_leverage) return;
        if (max > 100n) expect(ask(max)).toBeNull();
        expect(ask(max + 1n)).not.toBeNull();
      }),
      { numRuns: 150, seed: 20_261_122 },
    );
    for (const each of ['null', 'health', 'deposit_cap', 'borrow_cap', 'liquidity']) {
      expect([...seen.keys()].some((key) => key.endsWith(each))).toBe(true);
    }
  });
});

describe('the figures of a refused close', () => {
  it('land when they are asked for, and one base unit beyond does not', async () => {
    const seen = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(made, async (one) => {
        const state = await stateOf(one);
        const ask = (repay: bigint | 'all') =>
          refusalOfBuild(state, closeOf(state, repay), { slippageBps: one.slippageBps });
        const owes = floorI80F48(one.owed * one.debt.liabilityShareValue);
        const refused = ask(one.repayPart === null ? 'all' : 1n + (owes * one.repayPart) / 100n);
        count(seen, refused);
        const { max_repay_raw: most, min_repay_raw: least, cap_usd: cap } = refused?.context ?? {};
        if (typeof most === 'string' && BigInt(most) > 0n) {
          if (cap === undefined) expect(ask(BigInt(most))).toBeNull();
          else expect(ask(BigInt(most))?.context.cap_usd).toBeUndefined();
          expect(ask(BigInt(most) + 1n)).not.toBeNull();
        }
        if (typeof least === 'string') {
          expect(ask(BigInt(least))).toBeNull();
          expect(ask(BigInt(least) - 1n)).not.toBeNull();
        }
      }),
      { numRuns: 150, seed: 20_261_122 },
    );
    for (const each of ['null', 'health', 'balance', 'liquidity']) {
      expect([...seen.keys()].some((key) => key.endsWith(each))).toBe(true);
    }
    expect(seen.has('ACTION__REPAY_EXCEEDED cap')).toBe(true);
  });
});

function count(seen: Map<string, number>, refused: Awaited<ReturnType<typeof refusalOfBuild>>): void {
  const limit = refused?.context.cap_usd === undefined ? (refused?.context.limited_by ?? '') : 'cap';
  const word = refused === null ? 'null' : `${refused.code} ${limit}`;
  seen.set(word, (seen.get(word) ?? 0) + 1);
}
