import { findAssetTagViolation } from '@lending/domain';
import { type PairTerms, termsOf } from './pair-terms.ts';
import type { StrategyBank } from './strategy-bank.ts';

/** What of a bank decides whether it pairs with another: configuration alone, so that pairs can be listed before anything was measured. */
export type PairableBank = Pick<
  StrategyBank,
  'address' | 'group' | 'mint' | 'venue' | 'risk' | 'originationFee' | 'takesDeposits' | 'lendsOut'
>;

export interface Pair<Bank extends PairableBank = StrategyBank> {
  readonly supply: Bank;
  readonly borrow: Bank;
  readonly terms: PairTerms;
}

/**
 * Every deposit and borrow that the program allows together on a fresh account and that levers at all, by configuration: whatever rates,
 * prices, caps that are full and liquidity are. Isolated collateral is worth nothing and levers nothing; an isolated debt is fine, being
 * the only one. In the order of the banks given.
 */
export function listPairs<Bank extends PairableBank>(
  banks: readonly Bank[],
  termsOfPair: (supply: PairableBank, borrow: PairableBank) => PairTerms | null = pairTermsOf,
): readonly Pair<Bank>[] {
  const borrows = banks.filter(isLent);
  return banks
    .filter(({ takesDeposits }) => takesDeposits)
    .flatMap((supply) =>
      borrows.flatMap((borrow) => {
        const terms = termsOfPair(supply, borrow);
        return terms === null ? [] : [{ supply, borrow, terms }];
      }),
    );
}

/** Of banks that can be supplied and borrowed: what the program makes of both together; null where it does not take them. */
export function pairTermsOf(supply: PairableBank, borrow: PairableBank): PairTerms | null {
  if (supply.address === borrow.address || supply.group !== borrow.group) return null;
  const held = [{ bank: supply.address, assetTag: supply.risk.assetTag }];
  if (findAssetTagViolation(held, borrow.risk.assetTag) !== null) return null;
  return termsOf({ collateral: supply.risk, debt: borrow.risk, originationFee: borrow.originationFee });
}

/** Only P0's own pools lend to its accounts. */
function isLent({ lendsOut, venue }: PairableBank): boolean {
  return lendsOut && venue === 'p0';
}
