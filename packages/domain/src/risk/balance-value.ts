import { isLendingError } from '@lending/errors';
import { addI80F48, divideI80F48, type I80F48, integerToI80F48, multiplyI80F48 } from '../i80f48.ts';
import type { ProgramErrorName } from '../program-error-name.ts';
import { type BalanceSide, hasBothSides, sideOf } from './balance-side.ts';
import { calcValue, ProgramPanic } from './calc-value.ts';
import { assetWeightOf, liabilityWeightOf, type ReconciledEmode } from './emode.ts';
import type { PriceBand, Requirement, RiskBalance, RiskBank, RiskPrice } from './risk-balance.ts';

/** What the risk engine makes of one balance. All but `side` are zero where it counts nothing. */
export interface BalanceValue {
  readonly side: BalanceSide | null;
  /** Base units; of a debt with its premium. */
  readonly amount: I80F48;
  /** USD for one UI token, with its bias: low for an asset, high for a liability. */
  readonly price: I80F48;
  /** After emode and the discount of the bank's USD limit. */
  readonly weight: I80F48;
  /** Weighted USD. */
  readonly value: I80F48;
  /** Why collateral counts nothing at the initial requirement, where its oracle is the reason. */
  readonly error: ProgramErrorName | null;
}

/** A balance that fails the instruction. */
export interface BalanceRefusal {
  readonly refusal: ProgramErrorName;
}

const EMPTY = nothing(null, null);
const WORTHLESS = nothing('asset', null);
/** What a number that stands for no error becomes where it must be one. */
const UNBOOKED: ProgramErrorName = 'InternalLogicError';
const PANIC: BalanceRefusal = { refusal: 'ProgramFailedToComplete' };

/**
 * Values one balance to the program's last bit.
 * @throws ProgramPanic, DECODE__VALUE_OUT_OF_RANGE for `arithmeticErrorName` to name.
 * @see marginfi-v2 programs/marginfi/src/state/marginfi_account.rs `calc_weighted_value_for_balance`
 */
export function valueBalance(
  balance: RiskBalance,
  requirement: Requirement,
  emode: ReconciledEmode,
): BalanceValue | BalanceRefusal {
  if (isAborting(balance.price) || hasBothSides(balance)) return PANIC;
  switch (sideOf(balance)) {
    case 'asset':
      return valueAsset(balance, requirement, emode);
    case 'liability':
      return valueLiability(balance, requirement);
    case null:
      return EMPTY;
  }
}

function valueAsset(
  { bank, price, assetShares }: RiskBalance,
  requirement: Requirement,
  emode: ReconciledEmode,
): BalanceValue | BalanceRefusal {
  if (bank.riskTier === 'Isolated') return WORTHLESS;
  const isInitial = requirement === 'initial';
  if (isInitial && isWorthlessInitially(bank)) return WORTHLESS;
  if (price.kind === 'failed') {
    const error = bookedErrorOf(price.error);
    return isInitial ? nothing('asset', error) : { refusal: error ?? UNBOOKED };
  }
  if (isInitial && !price.hasBorrowingPower) return WORTHLESS;
  const band = bandFor(price, requirement);
  if (typeof band === 'string') return { refusal: band };
  const weight = discounted(assetWeightOf(bank, requirement, emode), bank, band.low, requirement);
  const amount = multiplyI80F48(assetShares, bank.shares.assetShareValue);
  const value = calcValue(amount, band.low, weight, bank);
  return { side: 'asset', amount, price: band.low, weight, value, error: null };
}

/**
 * Whether a bank's tokens back no new debt, whatever their price.
 * @see marginfi-v2 programs/marginfi/src/state/marginfi_account.rs `calc_weighted_asset_value_standalone`
 */
export function isWorthlessInitially({ riskTier, operationalState }: RiskBank): boolean {
  return riskTier === 'Isolated' || operationalState === 'Paused' || operationalState === 'ReduceOnly';
}

function valueLiability(
  { bank, price, liabilityShares, premium }: RiskBalance,
  requirement: Requirement,
): BalanceValue | BalanceRefusal {
  if (price.kind === 'failed') return { refusal: bookedErrorOf(price.error) ?? UNBOOKED };
  const band = bandFor(price, requirement);
  if (typeof band === 'string') return { refusal: band };
  const weight = liabilityWeightOf(bank, requirement);
  const principal = multiplyI80F48(liabilityShares, bank.shares.liabilityShareValue);
  const value = calcValue(principal, band.high, weight, bank);
  // Valued by itself, as the program does: of the sum another last bit would come out.
  const premiumValue = premium > 0n && band.high > 0n ? calcValue(premium, band.high, weight, bank) : 0n;
  const amount = addI80F48(principal, premium);
  return { side: 'liability', amount, price: band.high, weight, value: addI80F48(value, premiumValue), error: null };
}

/**
 * An oracle's error as the engine keeps it. It keeps numbers of the program's own alone; what fails while bytes are read has none, and
 * is kept as 0, which is no error.
 */
function bookedErrorOf(error: ProgramErrorName): ProgramErrorName | null {
  return error === 'BorshIoError' ? null : error;
}

/** The program reads the oracle of every balance first, dust and worthless collateral too. */
function isAborting(price: RiskPrice): boolean {
  return price.kind === 'failed' && price.error === PANIC.refusal;
}

/** Maintenance looks at the price of the moment, the others at the average. */
function bandFor(
  price: RiskPrice & { readonly kind: 'loaded' },
  requirement: Requirement,
): PriceBand | ProgramErrorName {
  return requirement === 'maintenance' ? price.spot : price.ema;
}

/**
 * Spreads a bank's USD limit over all its deposits: above it, the weight falls as the deposits rise.
 * @see marginfi-v2 programs/marginfi/src/state/bank.rs `maybe_get_asset_weight_init_discount`
 */
function discounted(weight: I80F48, bank: RiskBank, lowPrice: I80F48, requirement: Requirement): I80F48 {
  if (requirement !== 'initial' || bank.totalAssetValueInitLimitUsd === null) return weight;
  const deposits = multiplyI80F48(bank.shares.totalAssetShares, bank.shares.assetShareValue);
  const depositsUsd = calcValue(deposits, lowPrice, null, bank);
  const limitUsd = integerToI80F48(bank.totalAssetValueInitLimitUsd);
  return depositsUsd > limitUsd ? multiplyI80F48(weight, divideI80F48(limitUsd, depositsUsd)) : weight;
}

function nothing(side: BalanceSide | null, error: ProgramErrorName | null): BalanceValue {
  return Object.freeze({ side, amount: 0n, price: 0n, weight: 0n, value: 0n, error });
}

/** The program's name for arithmetic that failed. Anything else is a fault of ours and is thrown on. */
export function arithmeticErrorName(error: unknown): ProgramErrorName {
  if (error instanceof ProgramPanic) return 'ProgramFailedToComplete';
  if (isLendingError(error, 'DECODE__VALUE_OUT_OF_RANGE')) return 'MathError';
  throw error;
}
