import type { TransactionRecord } from '@lending/chain';
import { type Activity, decodeActivity, type GroupChange } from '@lending/venues';
import type { Address } from '@solana/kit';

/** Whose activity is published. */
export interface ActivityScope {
  readonly program: Address;
  /** Activity of other groups is nobody's. */
  readonly group: Address;
  /** Whether somebody wants what happened to one of these addresses. */
  isWanted(addresses: readonly Address[]): boolean;
}

/** What a transaction did, as far as it is wanted. */
export interface TransactionDescription {
  readonly activities: readonly Activity[];
  /** What it did to banks and the group: always wanted. */
  readonly changes: readonly GroupChange[];
  readonly tipLamports: bigint;
  /** Lending accounts it touched, wanted or not. */
  readonly accounts: readonly Address[];
  /** Nothing was left out because nobody wants it: somebody may, later. */
  readonly isWhole: boolean;
  /** Instructions or events of the program that this build cannot read. */
  readonly unknown: number;
}

/** Says what a transaction did to accounts that somebody wants; `address` is one of them for this transaction. */
export function describeTransaction(
  record: TransactionRecord,
  scope: ActivityScope,
  address: Address | null,
): TransactionDescription {
  const { activities, changes, tipLamports, accounts, unknown } = decodeActivity(record, scope.program);
  const ours = activities.filter(({ group }) => group === scope.group);
  const wanted = ours.filter((activity) => {
    const concerned = concernedBy(activity);
    return (address !== null && concerned.includes(address)) || scope.isWanted(concerned);
  });
  return {
    activities: wanted,
    changes: changes.filter(({ group }) => group === scope.group),
    tipLamports,
    accounts,
    isWhole: wanted.length === ours.length,
    unknown,
  };
}

function concernedBy({ account, authority, counterparty }: Activity): readonly Address[] {
  return counterparty === null ? [account, authority] : [account, authority, counterparty];
}
