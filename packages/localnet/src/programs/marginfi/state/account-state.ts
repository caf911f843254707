import { ACCOUNT_FLAG } from '@lending/domain';
import { marginfiAccountLayout, placeOf } from '@lending/programs';
import { defineView } from '#programs/anchor/field.ts';

const accountFields = defineView(
  marginfiAccountLayout,
  `
    group, authority, lendingAccount.lastTagUsed, accountFlags, emissionsDestinationAccount, migratedFrom, migratedTo,
    lastUpdate, liquidationTaggedAt, accountIndex, thirdPartyIndex, bump, activeOrders, liquidationRecord, indexerFlags.isLendingOnly,
    indexerFlags.isEmpty, indexerFlags.isSingleBorrower, indexerFlags.hasEverBeenLiquidated,
    indexerFlags.hasEverBeenDeleveraged, indexerFlags.hasBeenBankrupted, indexerFlags.hasIsolated,
    indexerFlags.hasStaked, indexerFlags.hasKamino, indexerFlags.hasDrift, indexerFlags.hasJuplend,
    indexerFlags.wasLiquidatable, indexerFlags.wasUnderwater, indexerFlags.wasActive30d, indexerFlags.wasActive60d,
    indexerFlags.hasTrivialBalance
  `,
);
const INDEXER_FLAGS = placeOf(marginfiAccountLayout, 'indexerFlags');

/** A user's account of the program, its fields read and written in place. */
export type AccountState = ReturnType<typeof accountFields> & { readonly data: Uint8Array };

export const MARGINFI_ACCOUNT = {
  discriminator: marginfiAccountLayout.discriminator,
  view: (data: Uint8Array): AccountState => Object.assign(accountFields(data), { data }),
} as const;

/** Whether any of the flags is set. */
export function hasFlag(account: AccountState, ...flags: readonly (keyof typeof ACCOUNT_FLAG)[]): boolean {
  return flags.some((flag) => (account.accountFlags & ACCOUNT_FLAG[flag]) !== 0n);
}

export function setFlag(account: AccountState, flag: keyof typeof ACCOUNT_FLAG): void {
  account.accountFlags |= ACCOUNT_FLAG[flag];
}

export function clearFlag(account: AccountState, flag: keyof typeof ACCOUNT_FLAG): void {
  account.accountFlags &= ~ACCOUNT_FLAG[flag];
}

/** All of an account's flags for indexers, reserved bytes too. */
export function copyIndexerFlags(from: AccountState, to: AccountState): void {
  const { offset, type } = INDEXER_FLAGS;
  to.data.set(from.data.subarray(offset, offset + type.fixedSize), offset);
}
