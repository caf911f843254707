import { getAddressBytes } from '@lending/programs';
import type { NamedAccount } from '#programs/anchor/account-reader.ts';

const USER_METADATA_SEED = new TextEncoder().encode('user_meta');

/** Of the account that the program keeps for an owner, without its bump. */
export function userMetadataSeeds({ account }: NamedAccount): readonly Uint8Array[] {
  return [USER_METADATA_SEED, getAddressBytes(account.address)];
}
