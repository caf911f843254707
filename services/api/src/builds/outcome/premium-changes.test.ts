import { cautiousHealthFactor, computeHealth, NONE_RELAXED } from '@lending/domain';
import {
  bankAddress,
  charging,
  createMadeMarket,
  DEAR,
  debt,
  deposit,
  type MadeMarket,
  NOW,
  TEN_PERCENT,
} from '@lending/transactions/testing/made-market.ts';
import { readMade } from '@lending/transactions/testing/read-made.ts';
import { address } from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import { riskBalancesOf } from './judge-health.ts';
import { premiumChanges, premiumWarnings } from './premium-changes.ts';
import { type Summary, summarize } from './summarize.ts';

const ONE = 1_000_000n;
const [FIVE, TEN] = [21_474_835, 42_949_671];
let market: MadeMarket;

/** Three banks at a dollar; debts in the second bear a premium, and the first is what it is for. */
beforeEach(() => {
  market = createMadeMarket();
  market.setPremiums([TEN_PERCENT]);
  market.setBank(0, { premiumTag: DEAR });
  market.setBank(1, charging);
  market.setBank(2);
});

/** The account as it is then, valued. */
async function valued(balances: Parameters<MadeMarket['setAccount']>[0]) {
  market.setAccount(balances);
  const state = await readMade(market, 'deposit', 0);
  const { account, accounts, group } = state;
  return {
    account: account.state,
    balances: riskBalancesOf(account.state, accounts, state),
    group,
  };
}

const owing = (premiumRateSnapshot: number) => debt(1, ONE, { premiumRateSnapshot });

describe('premiumChanges', () => {
  it('has each debt that bears one before or after', async () => {
    market.setBank(3, charging);
    const before = await valued([deposit(0, ONE), owing(FIVE), debt(2, ONE, { premiumRateSnapshot: TEN })]);
    const after = await valued([deposit(0, ONE), owing(TEN), debt(3, ONE, { premiumRateSnapshot: FIVE })]);
    const found = premiumChanges(before, after).map(({ bank, beforePct, afterPct }) => [
      bank,
      Number(beforePct.toFixed(4)),
      Number(afterPct.toFixed(4)),
    ]);
    expect(found).toEqual([
      [bankAddress(1), 5, 10],
      [bankAddress(3), 0, 5],
    ]);
    expect(premiumChanges(after, { account: null, balances: [] })[0]).toMatchObject({ afterPct: 0 });
  });
});

describe('premiumWarnings', () => {
  async function warnings(before: number, after: number, isPulseLeftOut = false, relaxed = NONE_RELAXED) {
    const [was, is] = [await valued([deposit(0, ONE), owing(before)]), await valued([deposit(0, ONE), owing(after)])];
    return premiumWarnings(premiumChanges(was, is), is, { group: is.group, relaxed }, isPulseLeftOut);
  }

  it('warns of a premium that rises, and not of one that falls or hardly moves', async () => {
    expect(await warnings(FIVE, TEN)).toEqual([
      {
        level: 'warning',
        code: 'PREMIUM_RAISED',
        message: expect.stringContaining('from 5.00 % to 10.00 % a year'),
        bank: bankAddress(1),
      },
    ]);
    expect(await warnings(TEN, FIVE)).toEqual([]);
    expect(await warnings(FIVE, FIVE + 40_000)).toEqual([]);
    expect(await warnings(FIVE, FIVE + 50_000)).toHaveLength(1);
  });

  it('names the banks without whose price nothing is set', async () => {
    const unset = async () => (await warnings(FIVE, FIVE)).map(({ code, bank }) => [code, bank]);
    market.setPyth(0, 100_000_000n, NOW - 90n);
    expect(await unset()).toEqual([['PREMIUM_NOT_SET', bankAddress(0)]]);
    market.setPyth(0, 100_000_000n);
    market.setPyth(1, 100_000_000n, NOW - 90n);
    expect(await unset()).toEqual([['PREMIUM_NOT_SET', bankAddress(1)]]);
    market.setBank(1);
    market.setPyth(0, 100_000_000n, NOW - 90n);
    expect(await unset()).toEqual([]);
  });

  it('names no bank whose tokens back nothing where the program was seen to skip those', async () => {
    market.setBank(0, { premiumTag: DEAR, config: { operationalState: 2 } });
    market.setPyth(0, 100_000_000n, NOW - 90n);
    expect(await warnings(FIVE, FIVE)).toMatchObject([{ code: 'PREMIUM_NOT_SET', bank: bankAddress(0) }]);
    expect(await warnings(FIVE, FIVE, false, new Set(['stale_zero_weight_collateral']))).toEqual([]);
  });

  it('says that a pulse was left out', async () => {
    expect(await warnings(FIVE, FIVE, true)).toMatchObject([{ level: 'info', code: 'PREMIUM_NOT_SET' }]);
  });
});

const EMPTY = { health: computeHealth([]), factor: cautiousHealthFactor([]), staleBanks: [] };
const SUMMARY: Summary = {
  label: 'Deposit 1.5 SOL into P0',
  account: address('6UfpUZLVjqVgeqqrMNPkFxXPDUnMKXh2FMNveyDLhnAr'),
  createsAccount: false,
  isAction: true,
  transactions: 1,
  health: EMPTY,
};

describe('summarize', () => {
  it.each([
    [{}, 'Deposit 1.5 SOL into P0 on lending account 6Ufp…hnAr; the account owes nothing afterwards.'],
    [{ transactions: 2 }, 'Deposit 1.5 SOL into P0 on lending account 6Ufp…hnAr, in 2 transactions; '],
    [{ createsAccount: true }, 'Deposit 1.5 SOL into P0 and open lending account 6Ufp…hnAr; '],
    [
      { label: 'Create a lending account', createsAccount: true, isAction: false },
      'Create a lending account, 6Ufp…hnAr; the account owes nothing afterwards.',
    ],
  ])('tells of %j', (changes, expected) => {
    expect(summarize({ ...SUMMARY, ...changes }).slice(0, expected.length)).toBe(expected);
  });

  it('tells how far the collateral of a loop may fall, rounded down', () => {
    const fall = (numerator: bigint) =>
      summarize({ ...SUMMARY, priceChangeToLiquidation: { numerator, denominator: 1_000n } });
    expect(fall(-359n)).toContain(', and a fall of the deposited token by 35.9 % would open it to liquidation.');
    expect(summarize({ ...SUMMARY, priceChangeToLiquidation: { numerator: -3599n, denominator: 10_000n } })).toContain(
      '35.9 %',
    );
    expect(fall(20n)).not.toContain('fall');
  });
});
