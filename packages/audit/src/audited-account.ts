import type { RiskPrice } from '@lending/domain';
import type { ProgramVersion } from '@lending/programs';
import type { P0Account, P0Bank } from '@lending/venues';
import type { Address } from '@solana/kit';
import type { AuditedGroup } from './audit-bank.ts';

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
 * second, it may have been before the instruction or after, unless the instruction did it itself.
 * @param isActedOn whether the instruction brought the bank up to date before it read it.
 */
export function bankAt({ before, after }: BankStates, second: bigint, isActedOn: boolean): P0Bank | null {
  const { shares } = after;
  if (shares.lastUpdate > second) return null;
  const isUnmoved =
    before !== null &&
    before.shares.assetShareValue === shares.assetShareValue &&
    before.shares.liabilityShareValue === shares.liabilityShareValue &&
    // How much all lend there counts where the bank has a limit for that.
    (after.totalAssetValueInitLimitUsd === null || before.shares.totalAssetShares === shares.totalAssetShares);
  return isUnmoved || isActedOn || shares.lastUpdate < second ? after : null;
}
