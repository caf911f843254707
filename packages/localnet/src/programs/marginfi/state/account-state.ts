import { ACCOUNT_FLAG } from '@lending/domain';
import { MARGINFI_ACCOUNT_DISCRIMINATOR } from '@lending/programs';
import { defineView, key, u8, u16, u64, type View } from '#programs/anchor/field.ts';

const FIELDS = {
  group: key(8),
  authority: key(40),
  lastTagUsed: u16(1736),
  accountFlags: u64(1800),
  emissionsDestinationAccount: key(1808),
  migratedFrom: key(2144),
  migratedTo: key(2176),
  lastUpdate: u64(2208),
  accountIndex: u16(2216),
  thirdPartyIndex: u16(2218),
  bump: u8(2220),
  activeOrders: u8(2221),
  liquidationRecord: key(2224),
  isLendingOnly: u8(2256),
  isEmpty: u8(2257),
  isSingleBorrower: u8(2258),
  hasEverBeenLiquidated: u8(2259),
  hasEverBeenDeleveraged: u8(2260),
  hasBeenBankrupted: u8(2261),
  hasIsolated: u8(2262),
  hasStaked: u8(2263),
  hasKamino: u8(2264),
  hasDrift: u8(2265),
  hasJuplend: u8(2266),
  wasLiquidatable: u8(2267),
  wasUnderwater: u8(2268),
  wasActive30d: u8(2269),
  wasActive60d: u8(2270),
  hasTrivialBalance: u8(2271),
} as const;

const INDEXER_FLAGS = { start: 2256, end: 2280 } as const;

const accountFields = defineView(FIELDS);

/** A user's account of the program, its fields read and written in place. */
export type AccountState = View<typeof FIELDS> & { readonly data: Uint8Array };

export const MARGINFI_ACCOUNT = {
  discriminator: MARGINFI_ACCOUNT_DISCRIMINATOR,
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
  to.data.set(from.data.subarray(INDEXER_FLAGS.start, INDEXER_FLAGS.end), INDEXER_FLAGS.start);
}
