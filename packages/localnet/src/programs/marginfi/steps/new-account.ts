import { marginfiAccountCreateEvent } from '@lending/programs';
import type { InvokeContext } from '#engine/program.ts';
import type { Loader, NamedAccount } from '#programs/anchor/account-reader.ts';
import { emitEvent } from '#programs/anchor/emit-event.ts';
import type { AccountState } from '../state/account-state.ts';
import { accountEventHeader } from './account-event.ts';

/** Bytes of an account of the program. */
export const ACCOUNT_SPACE = 2312;

/** What a new account starts with; everything else is zero. It counts as active, or anyone could close it at once. */
export function initializeAccount(
  account: AccountState,
  { group, authority }: { readonly group: Uint8Array; readonly authority: Uint8Array },
  unixTimestamp: bigint,
): void {
  account.group = group;
  account.authority = authority;
  account.lastUpdate = unixTimestamp;
  account.isEmpty = 1;
  account.wasActive30d = 1;
  account.wasActive60d = 1;
}

export function emitAccountCreated(
  context: InvokeContext,
  account: Loader<AccountState>,
  authority: NamedAccount,
): void {
  emitEvent(context, marginfiAccountCreateEvent, { header: accountEventHeader(account, authority) });
}
