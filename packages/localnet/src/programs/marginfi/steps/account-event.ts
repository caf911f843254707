import type { Loader, NamedAccount } from '#programs/anchor/account-reader.ts';
import { toAddress } from '#programs/anchor/field.ts';
import type { AccountState } from '../state/account-state.ts';

/** What every event about an account begins with. */
export function accountEventHeader(account: Loader<AccountState>, signer: NamedAccount) {
  const state = account.load();
  return {
    signer: signer.account.address,
    marginfiAccount: account.account.address,
    marginfiAccountAuthority: toAddress(state.authority),
    marginfiGroup: toAddress(state.group),
  };
}
