import { describe, expect, it } from 'vitest';
import { integerToI80F48, parseI80F48 } from '../i80f48.ts';
import { maxLeverageHundredths, theoreticalMaxLeverage } from './leverage.ts';
import { balancesAfterLoop, borrowWorth, findLandingLeverage, type Loop, suppliedBase } from './loop.ts';
import { toShownRatio } from './ratio.ts';
import { collateral, debt, madeBank, madePrice } from './testing/made-balances.ts';

const loop: Loop = {
  collateral: { bank: madeBank({ address: 'sol', decimals: 9 }), price: madePrice('100', '0', '90', '2') },
  debt: { bank: madeBank({ address: 'usdc', liabilityInit: '1' }), price: madePrice('1', '0', '1', '0.1') },
  principalBase: 10_000_000_000n,
  originationFee: 0n,
};
const atOracle = (boughtBase: bigint) => borrowWorth(loop, boughtBase);

describe('suppliedBase', () => {
  it('rounds down', () => {
    expect(suppliedBase(333n, 150n)).toBe(499n);
  });
});

describe('borrowWorth', () => {
  it('prices the collateral low, the debt high, both average, and rounds up', () => {
    // 1 SOL at 88 for USDC at 1.1
    expect(borrowWorth(loop, 1_000_000_000n)).toBe(80_000_000n);
    expect(borrowWorth(loop, 1n)).toBe(1n);
    expect(borrowWorth(loop, 0n)).toBe(0n);
  });

  it('has no answer without a price', () => {
    const failed = { kind: 'failed', error: 'PythPushStalePrice' } as const;
    expect(borrowWorth({ ...loop, debt: { ...loop.debt, price: failed } }, 1n)).toBeNull();
    expect(borrowWorth({ ...loop, collateral: { ...loop.collateral, price: failed } }, 1n)).toBeNull();
    expect(borrowWorth({ ...loop, debt: { ...loop.debt, price: madePrice('0') } }, 1n)).toBeNull();
  });
});

describe('balancesAfterLoop', () => {
  it('opens what the account lacks and adds to what it has', () => {
    const held = [{ ...debt('5', { address: 'usdc' }) }];
    const after = balancesAfterLoop(held, { ...loop, originationFee: parseI80F48('0.5') }, 7n, 2_000_000n);
    expect(after.map(({ assetShares, liabilityShares }) => [assetShares, liabilityShares])).toEqual([
      [0n, integerToI80F48(8_000_000n)],
      [integerToI80F48(7n), 0n],
    ]);
  });

  it('counts in shares', () => {
    const { bank } = loop.collateral;
    const shares = { ...bank.shares, assetShareValue: integerToI80F48(2n), liabilityShareValue: integerToI80F48(4n) };
    const dear = { bank: { ...bank, shares }, price: loop.collateral.price };
    const [deposit] = balancesAfterLoop([], { ...loop, collateral: dear }, 8n, 0n);
    expect(deposit?.assetShares).toBe(integerToI80F48(4n));
    const [, owed] = balancesAfterLoop(
      [],
      { ...loop, debt: { ...dear, bank: { ...dear.bank, address: 'x' } } },
      8n,
      8n,
    );
    expect(owed?.liabilityShares).toBe(integerToI80F48(2n));
  });
});

describe('findLandingLeverage', () => {
  const pair = { collateral: loop.collateral.bank, debt: loop.debt.bank, originationFee: 0n };

  it('reaches the theoretical maximum of a clean account where the swap loses nothing of what is counted', () => {
    expect(toShownRatio(theoreticalMaxLeverage(pair) ?? { numerator: 0n, denominator: 1n })).toBeCloseTo(5, 9);
    // A last bit short of 5.00, because the weights are cut to 48 bits.
    expect(findLandingLeverage([], loop, 2000n, atOracle)).toEqual({
      hundredths: 499n,
      error: 'RiskEngineInitRejected',
    });
  });

  it('lands where collateral covers the debt exactly, as the program does', () => {
    const half = madeBank({ address: 'a', assetInit: '0.5' });
    const even = {
      ...loop,
      collateral: { bank: half, price: madePrice('1') },
      debt: { ...loop.debt, price: madePrice('1') },
    };
    const sized = { ...even, principalBase: 1_000_000n };
    expect(findLandingLeverage([], sized, 2000n, (boughtBase) => boughtBase)?.hundredths).toBe(200n);
  });

  it('stops at the maximum asked for', () => {
    expect(findLandingLeverage([], loop, 300n, atOracle)).toEqual({ hundredths: 300n, error: null });
  });

  it('lands the maximum leverage at a swap cost of one per cent', () => {
    const max = maxLeverageHundredths(pair) ?? 0n;
    const atCost = (boughtBase: bigint) => ((atOracle(boughtBase) ?? 0n) * 10_000n) / 9_900n;
    expect(findLandingLeverage([], loop, 2000n, atCost)?.hundredths).toBe(max);
  });

  it('counts the rest of the account', () => {
    const rich = findLandingLeverage([collateral('100', { address: 'other' })], loop, 2000n, atOracle);
    const poor = findLandingLeverage([debt('100', { address: 'other' })], loop, 2000n, atOracle);
    expect(rich?.hundredths).toBeGreaterThan(499n);
    expect(poor?.hundredths).toBeLessThan(499n);
  });

  it('does not lever an account that even the deposit leaves short, nor without prices', () => {
    expect(findLandingLeverage([debt('100000', { address: 'other' })], loop, 2000n, atOracle)).toBeNull();
    expect(findLandingLeverage([], loop, 2000n, () => null)).toBeNull();
  });
});
