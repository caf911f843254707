import {
  computeInterestRates,
  computeRequirement,
  computeUtilization,
  multiplyI80F48,
  type Requirement,
  sideOf,
  totalAssetsOf,
  totalLiabilitiesOf,
} from '@lending/domain';
import { MarginRequirementType } from '@mrgnlabs/marginfi-client-v2';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { assetAmountBound, healthBound, liabilityAmountBound, ratesBound } from './bounds.ts';
import { expectWithin, reportCloseness } from './expectations.ts';
import { balancesOf, type JudgedBank, type JudgedMarket, judgeMarket } from './judged-market.ts';
import { sdkAccount, sdkPortfolio } from './official-sdk.ts';
import { markets } from './random-market.ts';

/** Markets of 17 banks and 16 accounts. `RANDOM_RUNS=1000 RANDOM_SEED=7` looks further, `RANDOM_REPORT=1` says how close it was. */
const RUNS = Number(process.env.RANDOM_RUNS ?? 16);
const SEED = Number(process.env.RANDOM_SEED ?? 20_261_121);

const REQUIREMENTS: readonly [Requirement, MarginRequirementType][] = [
  ['initial', MarginRequirementType.Initial],
  ['maintenance', MarginRequirementType.Maintenance],
];

describe('random banks and accounts against the official SDK', () => {
  let judged: readonly JudgedMarket[] = [];
  const banks = () => judged.flatMap((market) => [...market.banks.values()]);

  beforeAll(() => {
    // The SDK tells of its missing chain each time it computes by itself.
    vi.spyOn(console, 'log').mockImplementation(() => {});
    judged = fc.sample(markets, { numRuns: RUNS, seed: SEED }).map(judgeMarket);
  });

  afterAll(() => {
    vi.restoreAllMocks();
    if (process.env.RANDOM_REPORT !== undefined) console.log(reportCloseness().join('\n'));
  });

  it(`looks at ${RUNS * 17} banks and ${RUNS * 16} accounts`, () => {
    expect(banks().length).toBeGreaterThanOrEqual(RUNS * 17);
    expect(judged.flatMap((market) => market.accounts).length).toBeGreaterThanOrEqual(RUNS * 16);
  });

  it('gives totals, utilisation and rates to the last unit both keep', () => {
    for (const { bank, theirs } of banks()) {
      const bound = ratesBound(bank);
      const [assets, liabilities] = [totalAssetsOf(bank.shares), totalLiabilitiesOf(bank.shares)];
      expectWithin('total assets', assets, theirs.getTotalAssetQuantity(), bound.totalAssets);
      expectWithin('total liabilities', liabilities, theirs.getTotalLiabilityQuantity(), bound.totalLiabilities);
      const utilization = computeUtilization(assets, liabilities) as bigint;
      expectWithin('utilization', utilization, theirs.computeUtilizationRate(), bound.utilization);
      const ours = computeInterestRates(bank.curve, { ...bank.fees, program: null }, utilization);
      if (ours === null) throw new Error('a made curve has no answer');
      const { lendingRate, borrowingRate } = theirs.computeInterestRates();
      expectWithin('base APR', ours.baseApr, theirs.computeBaseInterestRate(), bound.baseApr);
      expectWithin('deposit APR', ours.depositApr, lendingRate, bound.depositApr);
      expectWithin('borrow APR', ours.borrowApr, borrowingRate, bound.borrowApr);
    }
  });

  it('gives prices and their edges to the last unit both keep', () => {
    for (const { price, priceBound, theirPrice } of banks()) {
      if (price.kind !== 'loaded' || typeof price.spot === 'string' || typeof price.ema === 'string')
        throw new Error('a price is refused');
      const { priceRealtime, priceWeighted } = theirPrice;
      expectWithin('spot price', price.spot.spot, priceRealtime.price, priceBound.spot.spot);
      expectWithin('low spot price', price.spot.low, priceRealtime.lowestPrice, priceBound.spot.low);
      expectWithin('high spot price', price.spot.high, priceRealtime.highestPrice, priceBound.spot.high);
      expectWithin('EMA price', price.ema.spot, priceWeighted.price, priceBound.ema.spot);
      expectWithin('low EMA price', price.ema.low, priceWeighted.lowestPrice, priceBound.ema.low);
      expectWithin('high EMA price', price.ema.high, priceWeighted.highestPrice, priceBound.ema.high);
    }
  });

  it('gives the amount of every balance to the last unit both keep', () => {
    for (const market of judged) {
      for (const account of market.accounts) {
        const theirs = sdkAccount(account).activeBalances;
        const balances = balancesOf(account, market);
        expect(theirs).toHaveLength(balances.length);
        for (const [index, balance] of balances.entries()) {
          const bank = market.banks.get(balance.bank.address) as JudgedBank;
          const quantity = theirs[index]?.computeQuantity(bank.theirs);
          if (quantity === undefined) continue;
          const { assetShareValue, liabilityShareValue } = balance.bank.shares;
          if (sideOf(balance) === 'asset') {
            const ours = multiplyI80F48(balance.assetShares, assetShareValue);
            expectWithin('deposited amount', ours, quantity.assets, assetAmountBound(balance));
          } else {
            const ours = multiplyI80F48(balance.liabilityShares, liabilityShareValue);
            expectWithin('owed amount', ours, quantity.liabilities, liabilityAmountBound(balance));
          }
        }
      }
    }
  });

  it('gives the initial and maintenance totals of every account to the last unit both keep', async () => {
    for (const market of judged) {
      for (const account of market.accounts) {
        const { account: theirs } = await sdkPortfolio(account, market.banks);
        const balances = balancesOf(account, market);
        for (const [requirement, theirName] of REQUIREMENTS) {
          const ours = computeRequirement(balances, requirement);
          if (ours.kind !== 'valued') throw new Error(`${requirement} is refused: ${ours.error}`);
          const { assets, liabilities } = theirs.computeHealthComponents(theirName);
          const bound = healthBound(balances, market, requirement);
          expectWithin(`${requirement} assets`, ours.assets, assets, bound.assets);
          expectWithin(`${requirement} liabilities`, ours.liabilities, liabilities, bound.liabilities);
        }
      }
    }
  });
});
