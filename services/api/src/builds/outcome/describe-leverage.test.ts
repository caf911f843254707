import { toShownRatio } from '@lending/domain';
import { marginfiAccountLayout } from '@lending/programs';
import { bankAddress } from '@lending/transactions/testing/made-market.ts';
import { describe, expect, it } from 'vitest';
import { describeLeverage } from './describe-leverage.ts';
import { createMadeLeverage, type MadeAfter, madeClose, madeLoop, passedWith } from './testing/made-leverage.ts';

const FACTS = { symbols: { deposit: 'USDC', borrow: null }, slotMicros: 400_000n, found: { tried: [], lossBps: 0 } };
const LOOPED: MadeAfter = {
  balances: { collateral: 1_000_000_000n, debt: 502_000_000n },
  tokens: [-499_000_000n, 0n],
};
const CLOSED: MadeAfter = {
  balances: { collateral: -1_010_000_000n, debt: -1_000_000_000n, surplus: 2_000_000n },
  tokens: [0n, 3_000_000n],
};

async function describeLoop(changes: { found?: typeof FACTS.found; after?: MadeAfter } = {}) {
  const made = await createMadeLeverage();
  const { found = FACTS.found, after = LOOPED } = changes;
  return describeLeverage(made.state, madeLoop(made), passedWith(made, after), { ...FACTS, found });
}

describe('describeLeverage', () => {
  it('tells what a loop makes of the position', async () => {
    const { position, preHealth, postHealth, ratesAfter } = await describeLoop();
    expect(position).toMatchObject({
      depositBank: bankAddress(0),
      depositDeltaBase: 1_000_000_000n,
      borrowBank: bankAddress(1),
      borrowDeltaBase: 502_000_000n,
      // Bank: 3/4 on the collateral, 5/4 on the debt, a hundredth of what is borrowed for costs.
      maxLeverageHundredths: 246n,
    });
    // 6,007 of assets and 1,502 owed; 7/8 and 9/8 at maintenance.
    expect(toShownRatio(position.leverage ?? { numerator: 0n, denominator: 1n })).toBeCloseTo(6007 / 4505, 12);
    expect(toShownRatio(postHealth.health.ratio ?? { numerator: 0n, denominator: 1n })).toBeCloseTo(
      (6007 * 7) / (1502 * 9),
      9,
    );
    expect(toShownRatio(preHealth.health.ratio ?? { numerator: 0n, denominator: 1n })).toBeCloseTo(
      (5007 * 7) / (1000 * 9),
      9,
    );
    const falls = (1502 * 9) / 7 - 7;
    expect(Number(position.liquidationPriceUsd)).toBeCloseTo(falls / 6000, 9);
    expect(toShownRatio(position.priceChangeToLiquidation ?? { numerator: 0n, denominator: 1n })).toBeCloseTo(
      falls / 6000 - 1,
      9,
    );
    expect(ratesAfter?.bank).toBe(bankAddress(0));
    expect(position.borrowRatesAfter.bank).toBe(bankAddress(1));
  });

  it('says of both positions what they will show: whole units of what the shares are worth', async () => {
    const made = await createMadeLeverage();
    // Shares that come a hair short of the whole units that were moved.
    const passed = passedWith(made, LOOPED);
    const bytes = passed.after.get(made.state.account.address);
    if (!bytes) throw new TypeError('the account was simulated');
    const account = marginfiAccountLayout.decode(bytes.data);
    const balances = account.lendingAccount.balances.map((balance) => ({
      ...balance,
      assetShares: balance.assetShares && balance.assetShares - 1n,
      liabilityShares: balance.liabilityShares && balance.liabilityShares - 1n,
    }));
    const data = marginfiAccountLayout.encode({ ...account, lendingAccount: { ...account.lendingAccount, balances } });
    const after = new Map(passed.after).set(made.state.account.address, { ...bytes, data: Uint8Array.from(data) });
    const { position } = await describeLeverage(made.state, madeLoop(made), { ...passed, after }, FACTS);
    expect(position).toMatchObject({ depositDeltaBase: 999_999_999n, borrowDeltaBase: 501_999_999n });
  });

  it('tells of both tokens and of the SOL that it cost', async () => {
    const { tokenChanges } = await describeLoop({ after: { ...LOOPED, tokens: [-499_000_000n, 4n] } });
    expect(tokenChanges.map(({ symbol, isNativeSol, deltaBase }) => [symbol, isNativeSol, deltaBase])).toEqual([
      ['USDC', false, -499_000_000n],
      [null, false, 4n],
      ['SOL', true, -2_006_000n],
    ]);
  });

  it('measures the quote by the oracles', async () => {
    const { swap } = await describeLoop();
    // 501 for 502 dollars.
    expect(swap?.deviationE18).toBe(10n ** 18n / 502n);
    expect(swap).toMatchObject({ feeUsd: '0', inDecimals: 6, outDecimals: 6 });
  });

  it('prices a fee, where its mint has a price', async () => {
    const made = await createMadeLeverage();
    const sized = madeLoop(made);
    const feeIn = async (mint: string) => {
      const quote = { ...sized.swap?.quote, fee: { mint, base: 1_500_000n } };
      const charged = { ...sized, swap: { ...sized.swap, quote } } as typeof sized;
      return (await describeLeverage(made.state, charged, passedWith(made, LOOPED), FACTS)).swap?.feeUsd;
    };
    expect(Number(await feeIn(made.state.debt.live.mint.address))).toBe(1.5);
    expect(await feeIn(bankAddress(0))).toBeNull();
  });

  it('has no swap where both banks have one mint', async () => {
    const made = await createMadeLeverage();
    const sized = { ...madeLoop(made), swap: null };
    const outcome = await describeLeverage(made.state, sized, passedWith(made, LOOPED), { ...FACTS, found: null });
    expect(outcome.swap).toBeNull();
    expect(outcome.warnings).toEqual([]);
  });

  it('names no price of liquidation where the debt is in the same token', async () => {
    const made = await createMadeLeverage();
    const looped = await describeLeverage(made.state, madeLoop(made), passedWith(made, LOOPED), FACTS);
    expect(looped.position.priceChangeToLiquidation).not.toBeNull();
    const { collateral, debt } = made.state;
    const bank = { ...debt.live.bank, mint: collateral.live.bank.mint };
    const state = { ...made.state, debt: { ...debt, live: { ...debt.live, bank } } };
    const sized = { ...madeLoop(made), swap: null };
    const { position } = await describeLeverage(state, sized, passedWith(made, LOOPED), { ...FACTS, found: null });
    expect([position.priceChangeToLiquidation, position.liquidationPriceUsd]).toEqual([null, null]);
  });

  it('tells what a close leaves', async () => {
    const made = await createMadeLeverage();
    const { position, warnings, postHealth } = await describeLeverage(
      made.state,
      madeClose(made),
      passedWith(made, CLOSED),
      FACTS,
    );
    expect(position).toMatchObject({
      depositDeltaBase: -1_010_000_000n,
      borrowDeltaBase: -1_000_000_000n,
      maxLeverageHundredths: null,
      liquidationPriceUsd: null,
      priceChangeToLiquidation: null,
    });
    expect(position.leverage).toEqual(expect.objectContaining({ numerator: position.leverage?.denominator }));
    expect(postHealth.health.ratio).toBeNull();
    expect(warnings.map(({ code }) => code)).toEqual(['COLLATERAL_LEFT']);
  });

  it.each<[string, Parameters<typeof describeLoop>[0], readonly string[]]>([
    ['nothing of a small loop', {}, []],
    ['of a route that was cut short', { found: { tried: [], lossBps: 11 } }, ['SWAP_ROUTE_REDUCED']],
    [
      'of an account near the line',
      { after: { ...LOOPED, balances: { collateral: 1_000_000_000n, debt: 2_800_000_000n } } },
      ['LIQUIDATION_NEAR'],
    ],
  ])('warns %s', async (_what, changes, codes) => {
    expect((await describeLoop(changes)).warnings.map(({ code }) => code)).toEqual(codes);
  });
});
