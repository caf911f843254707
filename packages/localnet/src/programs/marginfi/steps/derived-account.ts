import { writeU16 } from '#engine/bytes.ts';
import { unitsToFind } from '#engine/derived-address.ts';
import type { InvokeContext } from '#engine/program.ts';
import type { Loader, NamedAccount } from '#programs/anchor/account-reader.ts';
import { requireFoundSeeds } from '#programs/anchor/constraints.ts';
import { createAccount } from '#programs/anchor/create-account.ts';
import { type AccountState, MARGINFI_ACCOUNT } from '../state/account-state.ts';
import { ACCOUNT_SPACE } from './new-account.ts';

const ACCOUNT_SEED = new TextEncoder().encode('marginfi_account');

/** What an account's address is derived from. */
interface DerivedFrom {
  readonly group: NamedAccount;
  readonly authority: NamedAccount;
  readonly accountIndex: number;
  readonly thirdPartyId: number | null;
}

/** Creates an account at its derived address. @throws AnchorError 2006 when the address is another. */
export function createDerivedAccount(
  context: InvokeContext,
  created: NamedAccount,
  payer: NamedAccount,
  { group, authority, accountIndex, thirdPartyId }: DerivedFrom,
): { readonly account: Loader<AccountState>; readonly bump: number } {
  const keys = [group.account.key, authority.account.key];
  const seeds = [ACCOUNT_SEED, ...keys, u16Bytes(accountIndex), u16Bytes(thirdPartyId ?? 0)];
  const bump = requireFoundSeeds(created, seeds, context.programId);
  context.consume(unitsToFind(bump), 'syscall');
  const account = createAccount(context, created, {
    kind: MARGINFI_ACCOUNT,
    payer,
    space: ACCOUNT_SPACE,
    seeds: [...seeds, Uint8Array.of(bump)],
  });
  return { account, bump };
}

function u16Bytes(value: number): Uint8Array {
  const bytes = new Uint8Array(2);
  writeU16(bytes, 0, value);
  return bytes;
}
