import { readAddress } from '@lending/programs';
import type { Loader, NamedAccount } from '#programs/anchor/account-reader.ts';
import type { AccountState } from '../state/account-state.ts';

/** What every event about an account begins with. */
export function accountEventHeader(account: Loader<AccountState>, signer: NamedAccount) {
  const state = account.load();
  return {
    signer: signer.account.address,
    marginfiAccount: account.account.address,
    marginfiAccountAuthority: readAddress(state.authority),
    marginfiGroup: readAddress(state.group),
  };
}
