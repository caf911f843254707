import { type I80F48, I80F48_ONE, multiplyI80F48 } from '../i80f48.ts';
import { largerOf, smallerOf } from '../integers.ts';
import type { BalanceValue } from './balance-value.ts';
import { bandOf } from './band-of.ts';
import { balanceScaleOf } from './calc-value.ts';
import { intervalOf, isCapped, MAX_INTERVAL } from './price-move.ts';
import { compareRatios, type Ratio } from './ratio.ts';
import { computeRequirement } from './requirement.ts';
import type { PriceBand, RiskBalance } from './risk-balance.ts';

/** Where the price of one balance's bank takes the account to the liquidation line, all other prices held. */
export interface LiquidationPoint {
  readonly index: number;
  readonly bank: string;
  /** USD for one UI token of the bank's balances, before bias: for venues' receipt tokens multiply the shown price by 1 + change. */
  readonly price: I80F48;
  /** (price − price now) ÷ price now: collateral falls, debt rises, and the other way round once the line is behind. */
  readonly change: Ratio;
}

interface Maintenance {
  readonly assets: I80F48;
  readonly liabilities: I80F48;
}

const MAX_PRICE = 2n ** 127n - 1n;

/**
 * A point per balance, null where no price of it makes the difference: others cover all debt, or debt is under water without it; it
 * counts nothing; or the account cannot be valued.
 * The feed's interval is taken to stay as it is in USD, and the cap of 5 % moves with the price, as in `moveBand`; so an oracle that
 * reads exactly `price` with its confidence of now brings the account to the line, but for the last bits of rounding.
 */
export function findLiquidationPoints(balances: readonly RiskBalance[]): readonly (LiquidationPoint | null)[] {
  const outcome = computeRequirement(balances, 'maintenance');
  if (outcome.kind === 'refused') return balances.map(() => null);
  return balances.map((balance, index) => {
    const value = outcome.values[index];
    const band = bandOf(balance.price, 'spot');
    if (value === undefined || band === null) return null;
    const price = liquidationPrice(balance, band, value, outcome);
    if (price === null) return null;
    const change = { numerator: price - band.spot, denominator: band.spot };
    return { index, bank: balance.bank.address, price, change };
  });
}

/** The point that takes the smallest move. */
export function weakestOf(points: readonly (LiquidationPoint | null)[]): LiquidationPoint | null {
  return points.reduce((weakest, point) => {
    if (weakest === null || point === null) return weakest ?? point;
    return compareRatios(sizeOf(point.change), sizeOf(weakest.change)) < 0n ? point : weakest;
  }, null);
}

function liquidationPrice(
  { bank }: RiskBalance,
  band: PriceBand,
  { side, amount, weight, value }: BalanceValue,
  { assets, liabilities }: Maintenance,
): I80F48 | null {
  const weighted = multiplyI80F48(amount, weight);
  if (side === null || weighted === 0n) return null;
  const needed = side === 'asset' ? liabilities - (assets - value) : assets - (liabilities - value);
  if (needed <= 0n) return null;
  const biased = (needed * balanceScaleOf(bank)) / weighted;
  const price = side === 'asset' ? spotOfLow(biased, band) : spotOfHigh(biased, band);
  return price > MAX_PRICE ? null : price;
}

/** The price whose low edge is `low`. */
function spotOfLow(low: I80F48, band: PriceBand): I80F48 {
  const ifCapped = (low * I80F48_ONE) / (I80F48_ONE - MAX_INTERVAL);
  return isCapped(band) ? ifCapped : smallerOf(low + intervalOf(band), ifCapped);
}

/** The price whose high edge is `high`. */
function spotOfHigh(high: I80F48, band: PriceBand): I80F48 {
  const ifCapped = (high * I80F48_ONE) / (I80F48_ONE + MAX_INTERVAL);
  return isCapped(band) ? ifCapped : largerOf(high - intervalOf(band), ifCapped);
}

function sizeOf({ numerator, denominator }: Ratio): Ratio {
  return numerator < 0n ? { numerator: -numerator, denominator } : { numerator, denominator };
}
