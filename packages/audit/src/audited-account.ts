import { isDeepStrictEqual } from 'node:util';
import type { RiskPrice } from '@lending/domain';
import type { ProgramVersion } from '@lending/programs';
import type { P0Account, P0Bank } from '@lending/venues';
import type { Address } from '@solana/kit';
import type { AuditedGroup } from './comparison.ts';

/** A bank as an instruction of a slot may have read it. */
export interface BankStates {
  /** Its newest state of an earlier slot (or before the transaction); null where that was not seen. */
  readonly before: P0Bank | null;
  /** Its newest state of that slot (or after the transaction). */
  readonly after: P0Bank;
}

/** An account that an instruction changed. */
export interface AuditedAccount {
  /** The account as it was seen last, with nothing missed in between; null where that is not known. */
  readonly before: P0Account | null;
  readonly after: P0Account;
  /** The banks of its balances. One that is missing ends what depends on it. */
  readonly banks: ReadonlyMap<Address, BankStates>;
  /**
   * The prices of those banks' oracles, as far as the caller has them. Maintenance is judged by the price of the moment, which the account
   * does not show: one of these is taken for it where its average is the price that the account does show.
   */
  readonly prices: ReadonlyMap<Address, RiskPrice>;
  /** Whether the accounts of those oracles are known to have held the same bytes when the account was judged. */
  readonly arePricesOfCheck: boolean;
  /** As of the slot of `after`: it says how same assets count, and what premiums cost. */
  readonly group: Pick<AuditedGroup, 'sameAssetLeverage' | 'premiumPairs'>;
  /** The program that ran. */
  readonly version: ProgramVersion;
}

/**
 * A bank's state as an instruction at a second read it, where the bytes tell which that is. Interest moves share values once in a second:
 * where they are the same before and after, or were not brought up to date since, there is one answer. Where they were within that very
 * second, it may have been before the instruction or after, unless the instruction did it itself. Settings may change at any time, and where
 * the bank limits what all lend there to count in full, so does that.
 * @param isActedOn whether the instruction brought the bank up to date before it read it.
 */
export function bankAt({ before, after }: BankStates, second: bigint, isActedOn: boolean): P0Bank | null {
  const { shares } = after;
  if (shares.lastUpdate > second) return null;
  // Where nothing is known of before, a caller that looks for the first time takes the bank as it is.
  if (before !== null && !haveSameRiskTerms(before, after)) return null;
  const isUnmoved =
    before !== null &&
    before.shares.assetShareValue === shares.assetShareValue &&
    before.shares.liabilityShareValue === shares.liabilityShareValue;
  // A venue's bank bears no interest of its own, and is never brought up to date.
  const isOfAction = isActedOn && (shares.lastUpdate === second || after.venue !== 'p0');
  return isUnmoved || isOfAction || shares.lastUpdate < second ? after : null;
}

/** Whether both states weigh the same tokens the same: an administrator's change leaves nothing else that shows when it came. */
function haveSameRiskTerms(before: P0Bank, after: P0Bank): boolean {
  const isSameTotal =
    after.totalAssetValueInitLimitUsd === null || before.shares.totalAssetShares === after.shares.totalAssetShares;
  return isSameTotal && isDeepStrictEqual(riskTermsOf(before), riskTermsOf(after));
}

function riskTermsOf({
  weights,
  emode,
  oracle,
  operationalState,
  riskTier,
  totalAssetValueInitLimitUsd,
  premium,
}: P0Bank) {
  const { tag, isActive, activatedAt } = premium;
  return [weights, emode, oracle, operationalState, riskTier, totalAssetValueInitLimitUsd, tag, isActive, activatedAt];
}
