import { TOKEN_2022_PROGRAM } from '@lending/programs';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { CloseAction, LoopAction } from '#leverage.ts';
import type { SwapRoute } from '#swaps/swap-route.ts';
import { bankAddress, createMadeMarket, debt, deposit, type MadeMarket, mintAddress } from '#testing/made-market.ts';
import { readMadePair } from '#testing/made-pair.ts';
import { fairTradeOf } from './fair-trade.ts';
import { sizeLeverage } from './size-leverage.ts';
import { swapNeedOf } from './swap-need.ts';

const PAIR = { depositBank: bankAddress(1), borrowBank: bankAddress(2) };
const TWO_AND_A_HALF: LoopAction = {
  kind: 'loop',
  ...PAIR,
  principal: 10_000_000n,
  supplied: 25_000_000n,
  leverage: { numerator: 5n, denominator: 2n },
};
const closing = (fields: Partial<CloseAction> = {}): CloseAction => ({
  kind: 'close_position',
  ...PAIR,
  repay: 'all',
  surplus: 'wallet',
  ...fields,
});
const TOKEN = 1_000_000n;
let market: MadeMarket;

/** Collateral at two dollars with six decimals, debt at one with nine. */
beforeEach(() => {
  market = createMadeMarket();
  market.setBank(1, {}, { priceUsdE8: 200_000_000n });
  market.setBank(2, { mintDecimals: 9 }, { decimals: 9 });
  market.setAccount([deposit(1, 100n * TOKEN), debt(2, 80n * 10n ** 9n)]);
});

const read = () => readMadePair(market, 1, 2);

function route(inBase: bigint, minOutBase: bigint): SwapRoute {
  const quote = {
    aggregator: 'jupiter',
    inBase,
    outBase: minOutBase + 5n,
    minOutBase,
    slippageBps: 50,
    priceImpactE18: 0n,
    fee: null,
    contextSlot: null,
    labels: [],
    requestId: null,
  } as const;
  return { quote, setup: [], swap: [], lookupTables: [] };
}

describe('what a swap has to give', () => {
  it('is what a loop’s deposit lacks, for its worth with slippage and a usual fee', async () => {
    const need = swapNeedOf(await read(), TWO_AND_A_HALF, 50);
    expect(need).toMatchObject({ neededOut: 15n * TOKEN, maxInBase: null });
    expect(need?.from.live.mint.address).toBe(mintAddress(2));
    // 15 tokens at two dollars are 30 dollars; 0.55 % of what is given does not arrive.
    expect(need?.inBase).toBe((30n * 10n ** 9n * 10_000n + 9_944n) / 9_945n);
  });

  it('is a close’s whole debt and more than a unit for what it grows, and no more can be given than there is', async () => {
    const need = swapNeedOf(await read(), closing(), 50);
    expect(need?.from.live.mint.address).toBe(mintAddress(1));
    expect(need?.neededOut).toBe(80n * 10n ** 9n + 1n);
    expect(need?.maxInBase).toBe(100n * TOKEN);
    market.setAccount([deposit(1, 30n * TOKEN), debt(2, 80n * 10n ** 9n)]);
    expect((await read().then((state) => swapNeedOf(state, closing(), 50)))?.inBase).toBe(30n * TOKEN);
  });

  it('is exactly the amount of a part', async () => {
    expect(swapNeedOf(await read(), closing({ repay: 7n }), 50)?.neededOut).toBe(7n);
  });

  it('has a token’s own fee on top, of the deposit and not of what the wallet pays anyway', async () => {
    market.setBank(1, {}, { priceUsdE8: 200_000_000n, tokenProgram: TOKEN_2022_PROGRAM, feeBasisPoints: 100 });
    const need = swapNeedOf(await read(), TWO_AND_A_HALF, 50);
    // 25 ÷ 0.99 less 10 ÷ 0.99, each rounded up.
    expect(need?.neededOut).toBe(25_252_526n - 10_101_011n);
  });

  it('is nothing where both banks have one mint', async () => {
    market.setBank(2, {}, { mint: mintAddress(1), priceUsdE8: 200_000_000n });
    expect(swapNeedOf(await read(), TWO_AND_A_HALF, 50)).toBeNull();
  });

  it('cannot be told without a price', async () => {
    market.setPyth(2, 0n);
    const state = await read();
    expect(() => swapNeedOf(state, closing(), 50)).toThrow(expect.objectContaining({ code: 'ORACLE__PRICE_STALE' }));
  });
});

describe('a fair trade', () => {
  it('never gives more than it takes, there and back', async () => {
    const { collateral, debt: owed, accounts } = await read();
    const there = fairTradeOf(collateral.live, owed.live, accounts);
    const back = fairTradeOf(owed.live, collateral.live, accounts);
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 15n), (amount) => {
        expect(back.outFor(there.outFor(amount))).toBeLessThanOrEqual(amount);
        expect(there.outFor(there.inFor(amount))).toBeGreaterThanOrEqual(amount);
      }),
    );
  });
});

describe('what a route settles', () => {
  it('is a loop’s loan', async () => {
    const sized = sizeLeverage(await read(), TWO_AND_A_HALF, route(31n * 10n ** 9n, 15n * TOKEN));
    expect(sized).toMatchObject({ kind: 'loop', borrow: 31n * 10n ** 9n, supplied: 25n * TOKEN });
  });

  it('is a loan of what is missing where nothing is swapped', async () => {
    market.setBank(2, {}, { mint: mintAddress(1), priceUsdE8: 200_000_000n });
    expect(sizeLeverage(await read(), TWO_AND_A_HALF, null)).toMatchObject({ borrow: 15n * TOKEN, swap: null });
  });

  it('is what a close sells, and leaves the rest', async () => {
    const sized = sizeLeverage(await read(), closing(), route(41n * TOKEN, 80n * 10n ** 9n + 1n));
    expect(sized).toMatchObject({ withdraw: 41n * TOKEN, repay: 'all', redeposit: 0n });
  });

  it.each([
    ['nothing', 100n * TOKEN],
    ['less than a cent', 100n * TOKEN - 4_999n],
  ])('is everything where %s would be left', async (_what, sold) => {
    expect(sizeLeverage(await read(), closing(), route(sold, 1n))).toMatchObject({ withdraw: 'all' });
  });

  it('leaves a cent', async () => {
    const sold = 100n * TOKEN - 5_000n;
    expect(sizeLeverage(await read(), closing(), route(sold, 1n))).toMatchObject({ withdraw: sold });
  });

  it('puts back what is sure to be over, once nothing is owed', async () => {
    const owed = 80n * 10n ** 9n + 1n;
    const sized = sizeLeverage(await read(), closing({ surplus: 'redeposit' }), route(41n * TOKEN, owed + 300n));
    expect(sized).toMatchObject({ redeposit: 300n });
    const partly = closing({ surplus: 'redeposit', repay: 5n });
    expect(sizeLeverage(await read(), partly, route(41n * TOKEN, 400n))).toMatchObject({ redeposit: 0n });
  });
});
