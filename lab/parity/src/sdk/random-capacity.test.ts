import {
  bandOf,
  computeHealth,
  findIsolatedViolation,
  findLiquidationPoints,
  type HeldBalance,
  type I80F48,
  integerToI80F48,
  maxBorrow,
  maxWithdraw,
  sideOf,
  theoreticalMaxLeverage,
  toShownRatio,
} from '@lending/domain';
import type { AccountBytes } from '@lending/venues';
import { type BankType, computeMaxLeverage, type EmodeTag, MarginRequirementType } from '@mrgnlabs/marginfi-client-v2';
import { PublicKey } from '@solana/web3.js';
import { BigNumber } from 'bignumber.js';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { borrowBound, liquidationBound, wholeDepositBound, withdrawBound, worthBound } from './bounds.ts';
import { expectWithin, reportCloseness } from './expectations.ts';
import { balancesOf, capacityState, type JudgedBank, type JudgedMarket, judgeMarket } from './judged-market.ts';
import { type SdkPortfolio, sdkPortfolio } from './official-sdk.ts';
import { markets } from './random-market.ts';

const RUNS = Number(process.env.RANDOM_RUNS ?? 16);
const SEED = Number(process.env.RANDOM_SEED ?? 20_261_121);

interface Case {
  readonly account: AccountBytes;
  readonly market: JudgedMarket;
  readonly theirs: SdkPortfolio;
}

describe('what random accounts may still do against the official SDK', () => {
  let cases: readonly Case[] = [];

  beforeAll(async () => {
    // The SDK tells of its missing chain each time it computes by itself.
    vi.spyOn(console, 'log').mockImplementation(() => {});
    const judged = fc.sample(markets, { numRuns: RUNS, seed: SEED }).map(judgeMarket);
    const pairs = judged.flatMap((market) => market.accounts.map((account) => ({ account, market })));
    cases = await Promise.all(
      pairs.map(async (pair) => ({ ...pair, theirs: await sdkPortfolio(pair.account, pair.market.banks) })),
    );
  });

  afterAll(() => {
    vi.restoreAllMocks();
    if (process.env.RANDOM_REPORT !== undefined) console.log(reportCloseness().join('\n'));
  });

  it('borrows what the SDK lets borrow, to the last unit, where health is the bound', () => {
    let compared = 0;
    for (const each of cases) {
      for (const target of borrowTargets(each)) {
        const state = capacityState(each.account, each.market, target);
        const ours = maxBorrow(state);
        const theirs = inBaseUnits(sdkMaxBorrow(each, target), target);
        const held = state.account.balances.find(({ bank }) => bank.address === target.bank.address);
        const debt = held ?? {
          bank: target.bank,
          price: target.price,
          assetShares: 0n,
          liabilityShares: 2n ** 48n,
          premium: 0n,
        };
        const balances =
          held === undefined ? [...state.account.balances, { ...debt, assetTag: 0 }] : state.account.balances;
        const bound = borrowBound(balances, each.market, debt);
        if (ours.limitedBy === 'health' && !isLessThanAShare(theirs, target)) {
          expectUnits('max borrow', ours.maxBase, theirs, bound.error);
          compared += 1;
        } else {
          expect(theirs.plus(bound.error).gte(`${ours.maxBase}`), `${ours.maxBase} against ${theirs}`).toBe(true);
        }
      }
    }
    expect(compared).toBeGreaterThanOrEqual(RUNS * 16);
  });

  it('withdraws what the SDK lets withdraw, to the last unit, where health is the bound', () => {
    const compared = { whole: 0, part: 0 };
    for (const each of cases) {
      const balances = balancesOf(each.account, each.market);
      // No instruction brings such an account about; the program lets it do nothing.
      if (findIsolatedViolation(balances) !== null) continue;
      for (const balance of balances) {
        const target = each.market.banks.get(balance.bank.address) as JudgedBank;
        if (sideOf(balance) !== 'asset' || target.bank.operationalState !== 'Operational') continue;
        if (target.bank.totalAssetValueInitLimitUsd !== null) continue;
        const ours = maxWithdraw(capacityState(each.account, each.market, target));
        const { account, banks, prices } = each.theirs;
        const key = new PublicKey(target.bank.address);
        const theirs = inBaseUnits(account.computeMaxWithdrawForBank(banks, prices, key), target);
        if (ours.withdrawsAll) {
          expectUnits('whole withdrawal', ours.maxBase, theirs, wholeDepositBound(balance).error);
          compared.whole += 1;
        } else if (ours.limitedBy === 'health' && !leavesLessThanAShare(theirs, balance)) {
          const isWorthless = balance.bank.riskTier === 'Isolated';
          const bound = isWorthless ? 0 : withdrawBound(balances, each.market, balance).error;
          expectUnits('max withdrawal', ours.maxBase, theirs, bound);
          compared.part += 1;
        } else {
          expect(theirs.plus(wholeDepositBound(balance).error).gte(ours.maxBase.toString())).toBe(true);
        }
      }
    }
    expect(compared.whole).toBeGreaterThanOrEqual(RUNS * 4);
    expect(compared.part).toBeGreaterThanOrEqual(RUNS * 4);
  });

  it('finds the liquidation price of the SDK where the feed has no interval', () => {
    let compared = 0;
    for (const { account, market, theirs } of cases) {
      const balances = balancesOf(account, market);
      const { positions } = computeHealth(balances);
      for (const [index, point] of findLiquidationPoints(balances).entries()) {
        const [balance, weighted] = [balances[index], positions[index]?.weighted];
        const side = balance === undefined ? null : sideOf(balance);
        if (balance === undefined || side === null || weighted === undefined || weighted === null) continue;
        const band = bandOf(balance.price, 'spot');
        if (band === null || band.low !== band.spot) continue;
        const key = new PublicKey(balance.bank.address);
        const other = theirs.account.computeLiquidationPriceForBank(theirs.banks, theirs.prices, key);
        if (weighted.weight === 0n) {
          expect([point, other]).toEqual([null, null]);
          continue;
        }
        const bound = liquidationBound(balances, market, { balance, side, weight: weighted.weight });
        // So near zero that rounding decides whether there is a price at all.
        if (Math.abs(bound.value) <= bound.error) continue;
        expect(point === null, `${point?.price} against ${other}`).toBe(other === null);
        if (point === null || other === null) continue;
        expectWithin('liquidation price', point.price, new BigNumber(other), bound);
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThanOrEqual(RUNS * 4);
  });

  it('finds the same net worth at spot prices', () => {
    for (const { account, market, theirs } of cases) {
      const balances = balancesOf(account, market);
      const { worth } = computeHealth(balances);
      if (worth === null) throw new Error('a made account has no worth');
      const { assets, liabilities } = theirs.account.computeHealthComponents(MarginRequirementType.Equity);
      const bound = worthBound(balances, market);
      expectWithin('worth of deposits', worth.assets, assets, bound.assets);
      expectWithin('worth of debts', worth.liabilities, liabilities, bound.liabilities);
    }
  });

  it('finds the same maximum leverage of every pair of banks without e-mode', () => {
    for (const market of new Set(cases.map((each) => each.market))) {
      const [collateral, ...debts] = [...market.banks.values()].filter(({ bank }) => bank.emode.entries.length === 0);
      for (const debt of debts) {
        if (collateral === undefined) continue;
        const ours = theoreticalMaxLeverage({ collateral: collateral.bank, debt: debt.bank, originationFee: 0n });
        const { maxLeverage, ltv } = computeMaxLeverage(collateral.theirs as BankType, debt.theirs as BankType);
        if (ours === null) {
          expect(ltv).toBeGreaterThanOrEqual(1);
          continue;
        }
        // A double for the ratio, one for the difference and one for the quotient: 1 ÷ (1 − x) magnifies the first by its square.
        const allowed = (maxLeverage ** 2 + 2 * maxLeverage) * 2 ** -52;
        expect(Math.abs(toShownRatio(ours) - maxLeverage)).toBeLessThanOrEqual(allowed);
      }
    }
  });
});

/**
 * Banks the account owes already, and some it does not hold. Left out, because the SDK judges them otherwise: isolated banks beside
 * other debts, paused banks, and new debts that change e-mode in more than one way.
 */
function borrowTargets({ account, market, theirs }: Case): JudgedBank[] {
  const balances = balancesOf(account, market);
  const debts = balances.filter((balance) => sideOf(balance) === 'liability');
  const isIsolatedDebt = debts.some(({ bank }) => bank.riskTier === 'Isolated');
  const fitting = [...market.banks.values()].filter(({ bank }) => {
    const others = debts.filter((debt) => debt.bank.address !== bank.address);
    const isAlone = others.length === 0;
    return bank.operationalState === 'Operational' && (isAlone || !(bank.riskTier === 'Isolated' || isIsolatedDebt));
  });
  const owed = fitting.filter(({ bank }) => debts.some((debt) => debt.bank.address === bank.address));
  const unheld = fitting.filter(({ bank }) => balances.every((balance) => balance.bank.address !== bank.address));
  const isEmodeFree = theirs.pairs.length === 0;
  const fresh = unheld.filter((target) => isEmodeFree || (debts.length === 0 && favoursOf(theirs, target).length <= 1));
  return [...owed, ...fresh.slice(0, 3)];
}

/** The e-mode pairs a first debt would bring into play. */
function favoursOf({ account, pairs }: SdkPortfolio, target: JudgedBank) {
  const key = new PublicKey(target.bank.address);
  return account.computeEmodeImpacts([...pairs], [key])[target.bank.address]?.borrowImpact?.resultingPairs ?? [];
}

/** As an app asks the SDK: with the weights that the new debt would bring. */
function sdkMaxBorrow({ theirs }: Case, target: JudgedBank): BigNumber {
  const key = new PublicKey(target.bank.address);
  const [pair] = theirs.account.getBalance(key).active ? [] : favoursOf(theirs, target);
  if (pair === undefined) return theirs.account.computeMaxBorrowForBank(theirs.banks, theirs.prices, key);
  const { assetWeightInit, assetWeightMaint, collateralBankTag } = pair;
  const collateralTags: EmodeTag[] = [collateralBankTag];
  const emodeWeights = { assetWeightInit, assetWeightMaint, collateralTags };
  return theirs.account.computeMaxBorrowForBank(theirs.banks, theirs.prices, key, { emodeWeights });
}

/** Less than a share cannot be owed; the SDK does not know of it. The bound leaves room on both sides of the line. */
function isLessThanAShare(theirs: BigNumber, { bank }: JudgedBank): boolean {
  return theirs.lte(Number(bank.shares.liabilityShareValue) / 2 ** 48 + 3);
}

/** What is left of a deposit counts nothing below a share; the SDK counts it. */
function leavesLessThanAShare(theirs: BigNumber, balance: HeldBalance): boolean {
  const { value } = wholeDepositBound(balance);
  return theirs.gte(value - Number(balance.bank.shares.assetShareValue) / 2 ** 48 - 3);
}

function inBaseUnits(ui: BigNumber, { bank }: JudgedBank): BigNumber {
  return ui.times(new BigNumber(10).pow(bank.decimals));
}

function expectUnits(what: string, ours: bigint, theirs: BigNumber, error: number): void {
  const raw: I80F48 = integerToI80F48(ours);
  expectWithin(what, raw, theirs, { value: Number(ours), error });
}
