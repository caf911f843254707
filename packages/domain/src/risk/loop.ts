import { assetSharesFor, liabilitySharesFor } from '../accounting/share-amounts.ts';
import { findEdge } from '../find-edge.ts';
import { addI80F48, type I80F48, integerToI80F48, multiplyI80F48 } from '../i80f48.ts';
import type { ProgramErrorName } from '../program-error-name.ts';
import { bandOf } from './band-of.ts';
import { balanceScaleOf } from './calc-value.ts';
import { computeRequirement } from './requirement.ts';
import type { RiskBalance, RiskBank, RiskPrice } from './risk-balance.ts';

/** A bank with its price. */
interface PricedBank {
  readonly bank: RiskBank;
  readonly price: RiskPrice;
}

/** A loop on an account: own capital and borrowed tokens, swapped, end as one deposit. Base units of the banks' balances. */
export interface Loop {
  readonly collateral: PricedBank;
  readonly debt: PricedBank;
  readonly principalBase: bigint;
  /** Of the debt's bank, as a part of what is borrowed. */
  readonly originationFee: I80F48;
}

/** What a loop deposits at a leverage in hundredths, rounded down. */
export function suppliedBase(principalBase: bigint, leverageHundredths: bigint): bigint {
  return (principalBase * leverageHundredths) / 100n;
}

/**
 * What must be borrowed to buy `boughtBase` of the collateral at the prices that the program values both at (collateral low, debt
 * high, averages), rounded up. A quote says what a swap really takes; this is what the deposit counts for, so no loop is better off.
 * @returns null where a price is missing.
 */
export function borrowWorth({ collateral, debt }: Loop, boughtBase: bigint): bigint | null {
  const low = bandOf(collateral.price, 'ema')?.low;
  const high = bandOf(debt.price, 'ema')?.high;
  if (low === undefined || high === undefined || high <= 0n) return null;
  const numerator = boughtBase * low * balanceScaleOf(debt.bank);
  const denominator = high * balanceScaleOf(collateral.bank);
  return (numerator + denominator - 1n) / denominator;
}

/** The account after a loop; the two banks' balances at the end of the list where it had none. */
export function balancesAfterLoop(
  balances: readonly RiskBalance[],
  loop: Loop,
  depositBase: bigint,
  borrowBase: bigint,
): readonly RiskBalance[] {
  const borrowed = integerToI80F48(borrowBase);
  const owed = addI80F48(borrowed, multiplyI80F48(borrowed, loop.originationFee));
  const assetShares = assetSharesFor(loop.collateral.bank.shares, integerToI80F48(depositBase));
  const liabilityShares = liabilitySharesFor(loop.debt.bank.shares, owed);
  const deposited = withShares(balances, loop.collateral, { assetShares, liabilityShares: 0n });
  return withShares(deposited, loop.debt, { assetShares: 0n, liabilityShares });
}

/**
 * The highest leverage, in hundredths up to `maxHundredths`, that the program accepts at the prices of now, discounts and the rest of
 * the account included, where `borrowFor` says what buying so much collateral takes.
 * @returns the leverage, and the error that the next hundredth fails with; null where not even a deposit of the principal is accepted.
 */
export function findLandingLeverage(
  balances: readonly RiskBalance[],
  loop: Loop,
  maxHundredths: bigint,
  borrowFor: (boughtBase: bigint) => bigint | null,
): { readonly hundredths: bigint; readonly error: ProgramErrorName | null } | null {
  const judge = (hundredths: bigint): ProgramErrorName | null => {
    const depositBase = suppliedBase(loop.principalBase, hundredths);
    const borrowBase = borrowFor(depositBase - loop.principalBase);
    if (borrowBase === null) return 'InvalidPrice';
    const outcome = computeRequirement(balancesAfterLoop(balances, loop, depositBase, borrowBase), 'initial');
    if (outcome.kind === 'refused') return outcome.error;
    return outcome.assets < outcome.liabilities ? 'RiskEngineInitRejected' : null;
  };
  if (judge(100n) !== null) return null;
  const edge = findEdge(judge, 100n, maxHundredths, maxHundredths);
  return { hundredths: edge.last, error: edge.error };
}

function withShares(
  balances: readonly RiskBalance[],
  { bank, price }: PricedBank,
  added: { readonly assetShares: I80F48; readonly liabilityShares: I80F48 },
): readonly RiskBalance[] {
  const index = balances.findIndex((balance) => balance.bank.address === bank.address);
  const held = balances[index];
  if (held === undefined) return [...balances, { bank, price, ...added }];
  return balances.with(index, {
    ...held,
    assetShares: held.assetShares + added.assetShares,
    liabilityShares: held.liabilityShares + added.liabilityShares,
  });
}
