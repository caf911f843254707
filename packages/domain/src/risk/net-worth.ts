import { isLendingError } from '@lending/errors';
import { addI80F48, type I80F48, multiplyI80F48 } from '../i80f48.ts';
import { sideOf } from './balance-side.ts';
import { bandOf } from './band-of.ts';
import { calcValue, ProgramPanic } from './calc-value.ts';
import type { Ratio } from './ratio.ts';
import type { RiskBalance } from './risk-balance.ts';

/** What an account is worth to its owner, in USD at the price of the moment: no weights, no bias, isolated banks too. */
export interface NetWorth {
  readonly assets: I80F48;
  readonly liabilities: I80F48;
  readonly equity: I80F48;
  /** Assets ÷ equity; null where there is no equity. */
  readonly leverage: Ratio | null;
  /** Liabilities ÷ assets; null without assets. */
  readonly loanToValue: Ratio | null;
}

/** The amount of a balance in base units, of a debt with its premium; zero for dust, null where it does not fit. */
export function amountOf(balance: RiskBalance): I80F48 | null {
  const { bank } = balance;
  return orNull(() => {
    switch (sideOf(balance)) {
      case 'asset':
        return multiplyI80F48(balance.assetShares, bank.shares.assetShareValue);
      case 'liability':
        return addI80F48(multiplyI80F48(balance.liabilityShares, bank.shares.liabilityShareValue), balance.premium);
      case null:
        return 0n;
    }
  });
}

/** USD of a balance, without weight and bias; null where its price is not known. */
export function worthOf({ bank, price }: RiskBalance, amount: I80F48 | null): I80F48 | null {
  if (amount === 0n) return 0n;
  const band = bandOf(price, 'spot');
  if (amount === null || band === null) return null;
  return orNull(() => calcValue(amount, band.spot, null, bank));
}

/** Null where any balance has no price: a part of the truth is none. */
export function netWorthOf(balances: readonly RiskBalance[], worths: readonly (I80F48 | null)[]): NetWorth | null {
  let assets: I80F48 = 0n;
  let liabilities: I80F48 = 0n;
  for (const [index, balance] of balances.entries()) {
    const worth = worths[index] ?? null;
    if (worth === null) return null;
    if (sideOf(balance) === 'liability') liabilities += worth;
    else assets += worth;
  }
  const equity = assets - liabilities;
  return {
    assets,
    liabilities,
    equity,
    leverage: equity > 0n ? { numerator: assets, denominator: equity } : null,
    loanToValue: assets > 0n ? { numerator: liabilities, denominator: assets } : null,
  };
}

function orNull(compute: () => I80F48): I80F48 | null {
  try {
    return compute();
  } catch (error) {
    if (error instanceof ProgramPanic || isLendingError(error, 'DECODE__VALUE_OUT_OF_RANGE')) return null;
    throw error;
  }
}
