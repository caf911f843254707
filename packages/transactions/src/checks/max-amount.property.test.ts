import { I80F48_ONE } from '@lending/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LendingActionKind } from '#action.ts';
import type { ActionState } from '#live/action-state.ts';
import { bankAddress, createMadeMarket, debt, deposit, mintAddress, NOW } from '#testing/made-market.ts';
import { readMade } from '#testing/read-made.ts';
import { findActionRefusal } from './find-action-refusal.ts';

const MOST = 10n ** 12n;
const base = (min: bigint, max: bigint = MOST) => fc.bigInt({ min, max });
const off = { maxOutflow: 0n, windowDuration: 0n, windowStart: 0n, prevWindowOutflow: 0n, curWindowOutflow: 0n };

const madeBank = fc.record({
  assetShareValue: base(I80F48_ONE, I80F48_ONE * 2n),
  liabilityShareValue: base(I80F48_ONE, I80F48_ONE * 2n),
  depositRoom: fc.option(base(1n), { nil: null }),
  borrowRoom: fc.option(base(1n), { nil: null }),
  vaultBase: base(0n),
  priceUsdE8: base(1_000_000n, 10_000_000_000n),
  window: fc.option(base(1n), { nil: null, freq: 4 }),
  isFeedOld: fc.integer({ min: 0, max: 9 }).map((die) => die === 0),
  isSwitchboard: fc.boolean(),
});
const made = fc.record({
  target: madeBank,
  other: madeBank,
  collateral: base(0n),
  own: fc.record({ side: fc.constantFrom('deposit', 'debt', 'none'), amount: base(2n, MOST / 10n) }),
  kind: fc.constantFrom<LendingActionKind>('deposit', 'withdraw', 'borrow', 'repay'),
  asked: base(1n, MOST * 10n),
});
type Made = typeof made extends fc.Arbitrary<infer T> ? T : never;
type MadeBank = Made['target'];

async function stateOf({ target, other, collateral, own, kind }: Made): Promise<ActionState> {
  const market = createMadeMarket();
  setBank(0, target);
  setBank(1, other);
  const held = own.side === 'deposit' ? [deposit(0, own.amount)] : own.side === 'debt' ? [debt(0, own.amount)] : [];
  market.setAccount([...held, deposit(1, collateral)]);
  await market.setTokens(mintAddress(0), 2n ** 63n);
  return readMade(market, kind, 0);

  function setBank(nth: number, bank: MadeBank) {
    const [deposited, owed] = [MOST * 2n, MOST];
    const shares = (amount: bigint, value: bigint) => (amount * I80F48_ONE * I80F48_ONE) / value;
    const hourly = { ...off, maxOutflow: bank.window ?? 0n, windowDuration: 3_600n, windowStart: NOW };
    market.setBank(
      nth,
      {
        assetShareValue: bank.assetShareValue,
        liabilityShareValue: bank.liabilityShareValue,
        totalAssetShares: shares(deposited, bank.assetShareValue),
        totalLiabilityShares: shares(owed, bank.liabilityShareValue),
        rateLimiter: { hourly: bank.window === null ? off : hourly, daily: off },
        config: {
          oracleSetup: bank.isSwitchboard ? 4 : 3,
          ...(bank.depositRoom === null ? {} : { depositLimit: deposited + bank.depositRoom }),
          ...(bank.borrowRoom === null ? {} : { borrowLimit: owed + bank.borrowRoom }),
        },
      },
      bank,
    );
    const time = bank.isFeedOld ? NOW - 500n : NOW;
    if (bank.isSwitchboard) market.setSwitchboard(nth, bank.priceUsdE8, time);
    else market.setPyth(nth, bank.priceUsdE8, time);
  }
}

describe('the figure of a refusal', () => {
  it('passes when it is asked for, and one base unit more is refused with the same figure', async () => {
    const seen = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(made, async (one) => {
        const state = await stateOf(one);
        const { kind } = one;
        const ask = (amount: bigint) => findActionRefusal(state, { kind, bank: bankAddress(0), amount });
        const refused = ask(one.asked);
        const figure = refused?.context[`max_${kind}_raw`];
        const word = refused === null ? 'passes' : `${refused.code} ${refused.context.limited_by ?? ''}`;
        seen.set(`${kind} ${word}`, (seen.get(`${kind} ${word}`) ?? 0) + 1);
        if (typeof figure !== 'string') return;
        const max = BigInt(figure);
        expect(max).toBeLessThan(one.asked);
        if (max > 0n) expect(ask(max)).toBeNull();
        const next = ask(max + 1n);
        expect(next).not.toBeNull();
        // Where nothing passes, the least of all borrows may be too small for a share besides.
        if (max > 0n) expect(next?.context[`max_${kind}_raw`]).toBe(figure);
      }),
      { numRuns: 300, seed: 20_261_121 },
    );
    // The limits that the figures are worth nothing without.
    for (const limit of ['deposit_cap', 'health', 'liquidity', 'borrow_cap', 'rate_limit', 'balance'])
      expect([...seen.keys()].some((key) => key.endsWith(limit))).toBe(true);
  });
});
