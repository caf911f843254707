import { splitRepayment } from '../accounting/premium.ts';
import { findEdge } from '../find-edge.ts';
import { ceilI80F48, type I80F48, integerToI80F48 } from '../i80f48.ts';
import type { BalanceValue } from './balance-value.ts';
import { rulingStateOf } from './breaker-gate.ts';
import { balanceScaleOf } from './calc-value.ts';
import type { Ratio } from './ratio.ts';
import { computeRequirement } from './requirement.ts';
import type { RiskBalance } from './risk-balance.ts';

/** One thing, done alone, that brings the account to its target. */
export interface Repair {
  readonly action: 'repay' | 'deposit';
  readonly index: number;
  readonly bank: string;
  /** Base units of the bank's balances (of a venue's receipt token, where the bank holds those); one less does not reach. */
  readonly amountBase: bigint;
}

const MAX_DEPOSIT = 2n ** 64n - 1n;

/**
 * For each debt that its bank takes back, and each collateral that its bank takes more of, the smallest amount that brings the health
 * ratio to `target`. A debt whose full repayment does not reach it is left out. Caps, wallets and interest until then are not looked at.
 * @returns null where the account cannot be valued; nothing to repair is an empty list.
 */
export function findRepairs(balances: readonly RiskBalance[], target: Ratio): readonly Repair[] | null {
  const outcome = computeRequirement(balances, 'maintenance');
  if (outcome.kind === 'refused') return null;
  const { assets, liabilities, values } = outcome;
  if (reaches(balances, target)) return [];
  const excessDebt = liabilities - (assets * target.denominator) / target.numerator;
  const missingAssets = (liabilities * target.numerator) / target.denominator - assets;
  return balances.flatMap((balance, index): readonly Repair[] => {
    const value = values[index];
    if (value === undefined) return [];
    const isDebt = value.side === 'liability';
    if (isDebt ? !takesRepayments(balance) : !takesDeposits(balance)) return [];
    const guess = tokensWorth(isDebt ? excessDebt : missingAssets, value, balance);
    if (guess === null) return [];
    const after = (amountBase: bigint) => balances.with(index, (isDebt ? repaid : deposited)(balance, amountBase));
    const max = isDebt ? ceilI80F48(value.amount) : MAX_DEPOSIT;
    const edge = findEdge((amount) => (reaches(after(amount), target) ? 'reached' : null), 0n, guess, max);
    if (edge.error === null) return [];
    return [{ action: isDebt ? 'repay' : 'deposit', index, bank: balance.bank.address, amountBase: edge.last + 1n }];
  });
}

function reaches(balances: readonly RiskBalance[], target: Ratio): boolean {
  const outcome = computeRequirement(balances, 'maintenance');
  return outcome.kind === 'valued' && outcome.assets * target.denominator >= outcome.liabilities * target.numerator;
}

/** How many base units carry this much weighted USD; null where none do. */
function tokensWorth(usd: I80F48, { price, weight }: BalanceValue, { bank }: RiskBalance): bigint | null {
  const perToken = price * weight;
  return perToken <= 0n ? null : (usd * balanceScaleOf(bank)) / perToken;
}

function repaid(balance: RiskBalance, amountBase: bigint): RiskBalance {
  const paid = splitRepayment(balance.premium, integerToI80F48(amountBase));
  const left = balance.liabilityShares - sharesOf(paid.principal, balance.bank.shares.liabilityShareValue);
  return { ...balance, premium: balance.premium - paid.premium, liabilityShares: left > 0n ? left : 0n };
}

function deposited(balance: RiskBalance, amountBase: bigint): RiskBalance {
  return {
    ...balance,
    assetShares: balance.assetShares + sharesOf(integerToI80F48(amountBase), balance.bank.shares.assetShareValue),
  };
}

/** Cut off as the program does. One too large to be is left to the valuation to refuse. */
function sharesOf(amount: I80F48, shareValue: I80F48): I80F48 {
  return shareValue > 0n ? (amount << 48n) / shareValue : 0n;
}

/** A halt stops neither this nor a deposit into a balance that is there. */
function takesRepayments({ bank }: RiskBalance): boolean {
  return ['Operational', 'ReduceOnly', 'ReduceOnlyWithBorrowingPower'].includes(rulingStateOf(bank));
}

function takesDeposits({ bank }: RiskBalance): boolean {
  return rulingStateOf(bank) === 'Operational';
}
