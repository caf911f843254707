import { integerToI80F48, parseI80F48, type RiskBank } from '@lending/domain';
import { madeBank as madeRiskBank } from '@lending/domain/testing/made-balances.ts';
import { createRanker, type Ranking } from '#ranker.ts';
import type { StrategyBank, StrategyRates } from '#strategy-bank.ts';
import type { SwapCost } from '#swap-cost.ts';

/** Made banks for the tests of this package: decimal text and whole dollars in. Undefined is the default, null is null. */
export interface MadeBank extends Partial<Omit<StrategyBank, 'risk' | 'rates' | 'originationFee'>> {
  readonly assetInit?: string;
  readonly assetMaint?: string;
  readonly liabilityInit?: string;
  readonly liabilityMaint?: string;
  readonly originationFee?: string;
  readonly risk?: Partial<RiskBank>;
  readonly now?: Partial<StrategyRates>;
  readonly week?: Partial<StrategyRates>;
  readonly month?: Partial<StrategyRates>;
}

/** The moment at which tests rank. */
export const NOW_MS = Date.UTC(2026, 10, 22);

export const usd = (whole: number) => integerToI80F48(BigInt(whole));

/** A dollar bank of P0 with room, that earns 5 % and costs 6 %, now and always. */
export function madeBank(made: MadeBank = {}): StrategyBank {
  const { assetInit, assetMaint, liabilityInit, liabilityMaint, originationFee, risk, now, week, month, ...own } = made;
  const address = own.address ?? 'Bank';
  const rates = { interestDeposit: 5, totalBorrow: 6, native: 0, emissionsDeposit: 0, ...now };
  return {
    address,
    group: 'Group',
    mint: 'Dollar',
    symbol: 'USD',
    venue: 'p0',
    assetClass: 'dollar',
    takesDeposits: true,
    lendsOut: true,
    blockedBy: null,
    monthGrowths: null,
    depositRoomUsd: usd(1_000_000),
    borrowRoomUsd: usd(1_000_000),
    liquidityUsd: usd(1_000_000),
    ...own,
    originationFee: parseI80F48(originationFee ?? '0'),
    rates: { now: rates, week: { ...rates, ...week }, month: { ...rates, ...month } },
    risk: madeRiskBank({
      address,
      ...{ assetInit, assetMaint, liabilityInit, liabilityMaint },
      ...risk,
    }),
  };
}

/** Staked SOL of tier 1 to supply, as configured on mainnet in April 2026 (own weights apart): 0.1 % interest, 7 % by itself, 0.5 % rewards. */
export function madeLst(made: MadeBank = {}): StrategyBank {
  return madeBank({
    address: 'Lst',
    mint: 'Staked',
    assetClass: 'sol',
    lendsOut: false,
    assetInit: '0.7',
    assetMaint: '0.8',
    now: { interestDeposit: 0.1, totalBorrow: null, native: 7, emissionsDeposit: 0.5 },
    ...made,
    risk: { emode: { tag: 1571, entries: [] }, ...made.risk },
  });
}

/** SOL to borrow, which favours it: 5.5 %, nothing by itself. */
export function madeSol(made: MadeBank = {}): StrategyBank {
  const entry = {
    collateralTag: 1571,
    assetWeightInit: parseI80F48('1.046'),
    assetWeightMaint: parseI80F48('1.051'),
  };
  return madeBank({
    address: 'Sol',
    mint: 'Sol',
    assetClass: 'sol',
    takesDeposits: false,
    liabilityInit: '1.14',
    liabilityMaint: '1.1',
    now: { interestDeposit: 4, totalBorrow: 5.5, native: 0, emissionsDeposit: 0 },
    liquidityUsd: usd(700_000),
    ...made,
    risk: { assetTag: 1, emode: { tag: 501, entries: [entry] }, ...made.risk },
  });
}

/** The one of a list that must have just one. */
export function only<Item>(items: readonly Item[]): Item {
  const [item] = items;
  if (item === undefined || items.length !== 1) throw new TypeError(`There is one expected, and ${items.length} found`);
  return item;
}

/** Once, with nothing kept. */
export function rankStrategies(banks: readonly StrategyBank[], swapCosts: readonly SwapCost[], nowMs: number): Ranking {
  return createRanker().rank(banks, swapCosts, nowMs);
}
