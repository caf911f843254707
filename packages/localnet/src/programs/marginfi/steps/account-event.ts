import type { Loader, NamedAccount } from '../anchor/account-reader.ts';
import type { AccountState } from '../state/account-state.ts';
import { toAddress } from '../state/field.ts';

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
